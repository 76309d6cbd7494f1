#include "render_html.h"

/*
 * Texts reach a contrast of 4.5 to 1 in both schemes. Reading is dark and writing light, so that they differ on paper
 * without colour.
 */
#define LIGHT                                                                                                          \
	"--page:#f7f8f9;--card:#fff;--ink:#1b2430;--muted:#55606d;--line:#d8dde3;--base:#8a949f;--link:#0b57a4;"           \
	"--read:#1f68b0;--write:#e9a13b;--write-edge:#8f5208;--read-edge:#134a80;--write-line:#b96a0c;--good:#176639;"     \
	"--bad:#a3231a;--warn:#7c4700;--bad-back:#fdecea;--warn-back:#fff4dd;--good-back:#e8f5ec;--plain-back:#edf2f8;"
#define DARK                                                                                                           \
	"--page:#11151b;--card:#191f28;--ink:#e6eaef;--muted:#a5b0bd;--line:#323c49;--base:#6b7785;--link:#85baf6;"        \
	"--read:#3f8bdb;--write:#efae5b;--write-edge:#ffd9a6;--read-edge:#a5cffc;--write-line:#efae5b;--good:#7fd6a2;"     \
	"--bad:#ff9d93;--warn:#f4c470;--bad-back:#3a1c1a;--warn-back:#33270f;--good-back:#15301f;--plain-back:#1f2937;"

/* clang-format off: it would break rules in the middle. */
const char *const html_style[] = {
	/* The page. */
	":root{color-scheme:light dark;" LIGHT "}\n",
	"@media screen and (prefers-color-scheme:dark){\n",
	":root{" DARK "}\n",
	"}\n",
	"*{box-sizing:border-box}\n",
	"html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n",
	"body{margin:0;background:var(--page);color:var(--ink);"
	"font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",Arial,sans-serif;"
	"overflow-wrap:anywhere}\n",
	"main,footer{max-width:60rem;margin:0 auto;padding:0 1.5rem}\n",
	"header{padding:2.25rem 0 .5rem}\n",
	"h1{font-size:1.75rem;line-height:1.25;margin:0 0 .5rem;font-weight:650;letter-spacing:-.01em}\n",
	"h1.long{font-size:1.15rem}\n",
	"h2{font-size:1.2rem;line-height:1.3;margin:0 0 1rem;font-weight:650}\n",
	"h3{font-size:1rem;margin:1.5rem 0 .5rem;font-weight:600}\n",
	"a{color:var(--link);text-underline-offset:.15em}\n",
	"section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.35rem 1.5rem;"
	"margin:1.25rem 0}\n",
	"section>:last-child{margin-bottom:0}\n",
	".about{margin:0 0 1rem;color:var(--muted)}\n",
	".quiet,figcaption,footer{color:var(--muted);font-size:.875rem}\n",
	"footer{padding-top:.25rem;padding-bottom:2.5rem}\n",
	".state{margin:0;padding:.4rem .8rem;border-radius:8px;border-left:4px solid;display:inline-block}\n",
	".state.fine{color:var(--good);background:var(--good-back)}\n",
	".state.caution{color:var(--warn);background:var(--warn-back);font-weight:600}\n",
	".state.notice{color:var(--bad);background:var(--bad-back);font-weight:600;display:block}\n",
	/* The numbers of note. */
	".headline{list-style:none;margin:1.25rem 0;padding:0;display:grid;gap:.75rem;"
	"grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr))}\n",
	".headline li{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem}\n",
	".headline span{display:block}\n",
	".what,.spread{color:var(--muted);font-size:.8125rem}\n",
	".number{font-size:1.7rem;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;"
	"letter-spacing:-.01em}\n",
	".unit{font-size:.875rem}\n",
	".mark{text-decoration:none;font-weight:700;padding:0 .15em}\n",
	/* Tables; a wide one moves within its box. */
	".scroll{overflow-x:auto}\n",
	"table{border-collapse:collapse;width:100%;font-size:.9375rem;overflow-wrap:normal}\n",
	"th,td{text-align:left;padding:.45rem .75rem;border-bottom:1px solid var(--line);vertical-align:top}\n",
	"th:first-child{padding-left:0}\n",
	"thead th{color:var(--muted);font-weight:600;font-size:.8125rem;vertical-align:bottom}\n",
	"tbody th{font-weight:500;min-width:8.5rem;max-width:22rem;overflow-wrap:break-word}\n",
	"th:first-child{position:sticky;left:0;background:var(--card)}\n",
	"thead bdi{display:inline-block;max-width:14rem;overflow-wrap:anywhere}\n",
	"td{white-space:nowrap}\n",
	".figure{text-align:right;font-variant-numeric:tabular-nums}\n",
	"thead .figure{white-space:normal}\n",
	".words{min-width:11rem;white-space:normal}\n",
	".failed,.slower{color:var(--bad)}\n",
	".faster{color:var(--good)}\n",
	".unsure,.same{color:var(--muted)}\n",
	/* Sentences. */
	".findings,.notes{list-style:none;margin:0;padding:0}\n",
	".findings li,.notes li{padding:.5rem .75rem;margin:.5rem 0;border-radius:8px;border-left:4px solid;"
	"font-size:.9375rem}\n",
	".findings li{display:flex;gap:.6rem}\n",
	".findings li>span:last-child{color:var(--ink);min-width:0}\n",
	".badge{font-weight:700;min-width:.8em;text-align:center}\n",
	".wrong,.doubtful,.notes li{color:var(--warn);background:var(--warn-back)}\n",
	".broken{color:var(--bad);background:var(--bad-back)}\n",
	".plain{color:var(--link);background:var(--plain-back)}\n",
	":target{outline:2px solid var(--link);outline-offset:2px}\n",
	/* Drawings: what stands beside a plot has its room in the padding, so that per cents are the plot's own. */
	"figure{margin:0;min-width:0}\n",
	".wide{margin:0 0 1.25rem}\n",
	".multiples{display:grid;gap:1.5rem 2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));"
	"margin-bottom:1rem}\n",
	".multiples h3{display:inline;font-size:.9375rem;margin:0;color:var(--ink)}\n",
	".multiples figcaption{margin-bottom:.35rem}\n",
	".tag{font-size:.8125rem;margin-left:.5em}\n",
	".keys{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 .75rem;color:var(--muted);"
	"font-size:.8125rem}\n",
	".multiples+.keys{margin:0}\n",
	".swatch{vertical-align:-1px}\n",
	".chart{display:block;overflow:visible;font-size:12px;line-height:1}\n",
	".chart text{fill:var(--ink);font-variant-numeric:tabular-nums}\n",
	".chart .small{font-size:11px;fill:var(--muted)}\n",
	".chart .name{font-weight:600}\n",
	".chart .name,.chart .value{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}\n",
	".chart a{fill:var(--link);font-weight:700}\n",
	".chart .faster{fill:var(--good)}\n",
	".chart .slower{fill:var(--bad)}\n",
	".chart .same,.chart .unsure{fill:var(--muted)}\n",
	".plot,.open{overflow:visible}\n",
	".bars{padding:0 98px 0 44px}\n",
	".lines{padding:0 8px 0 46px}\n",
	".threads{padding:0 4px 0 58px}\n",
	/* What is in them. */
	".grid{stroke:var(--line)}\n",
	".base{stroke:var(--base)}\n",
	"rect.read{fill:var(--read)}\n",
	"rect.write{fill:var(--write)}\n",
	"rect.bare{fill:var(--card)}\n",
	".bar.read{stroke:var(--read-edge)}\n",
	".bar.write{stroke:var(--write-edge)}\n",
	".bar.void{fill:none;stroke:var(--bad);stroke-dasharray:4 3}\n",
	".halo{stroke:var(--card);stroke-width:4;opacity:.75}\n",
	".whisker{stroke:var(--ink);stroke-width:1.5}\n",
	".dot{fill:var(--card);stroke:var(--ink)}\n",
	".ramp{fill:var(--line);opacity:.6}\n",
	".line{fill:none;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round;"
	"vector-effect:non-scaling-stroke}\n",
	".line.read{stroke:var(--read)}\n",
	".line.write{stroke:var(--write-line)}\n",
	".line.device{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:1 4}\n",
	".line.extra{stroke-dasharray:6 4;opacity:.6}\n",
	".several .line{opacity:.6}\n",
	".many .line{opacity:.25;stroke-width:1.25}\n",
	".many .device{opacity:.12}\n",
	".line.p50{stroke:var(--read)}\n",
	"circle.p50{fill:var(--read)}\n",
	".line.p99{stroke:var(--write-line);stroke-dasharray:6 4}\n",
	"path.p99:not(.line){fill:var(--card);stroke:var(--write-line);stroke-width:2}\n",
	".interval{stroke-width:2}\n",
	".interval.faster{stroke:var(--good)}\n",
	".interval.slower{stroke:var(--bad)}\n",
	".interval.same,.interval.unsure{stroke:var(--muted)}\n",
	".point.unsure{fill:var(--card);stroke:var(--muted);stroke-width:2}\n",
	/* The parts of a commit, and words about it. */
	"rect.host{fill:var(--line)}\n",
	".split{display:block;border-radius:3px}\n",
	".split-cell{width:30%;min-width:8rem;vertical-align:middle}\n",
	".passage{margin:0 0 1rem;padding-left:1.25rem}\n",
	".passage li{margin:.35rem 0}\n",
	"pre+.passage{margin-top:1rem}\n",
	/* Circumstances. */
	"dl{margin:0;font-size:.9375rem}\n",
	"dl div{display:grid;grid-template-columns:minmax(8rem,14rem) minmax(0,1fr);gap:1rem;padding:.3rem 0;"
	"border-bottom:1px solid var(--line)}\n",
	"dt{color:var(--muted)}\n",
	"dd{margin:0}\n",
	"details{margin-top:1.25rem}\n",
	"summary{cursor:pointer;font-weight:600;margin-bottom:.5rem}\n",
	"pre{margin:0;padding:.75rem 1rem;background:var(--plain-back);border-radius:8px;white-space:pre-wrap;"
	"font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,\"Liberation Mono\",monospace}\n",
	/* A telephone. */
	"@media (max-width:40rem){\n",
	"main,footer{padding:0 1rem}\n",
	"header{padding-top:1.25rem}\n",
	"h1{font-size:1.4rem}\n",
	"h1.long{font-size:1rem}\n",
	"section{border:0;border-top:1px solid var(--line);border-radius:0;padding:1.1rem 1rem;margin:1rem -1rem}\n",
	".number{font-size:1.4rem}\n",
	".headline{grid-template-columns:repeat(2,minmax(0,1fr))}\n",
	"dl div{grid-template-columns:1fr;gap:0}\n",
	"tbody th{max-width:9rem}\n",
	"}\n",
	/* Paper. */
	"@media print{\n",
	"@page{size:A4;margin:14mm}\n",
	":root{color-scheme:light;--page:#fff;--muted:#444c56}\n",
	"body{font-size:10.5pt}\n",
	"main,footer{max-width:none;padding:0;margin-bottom:0}\n",
	"header{padding-top:0}\n",
	"section{border:0;border-top:1px solid var(--line);border-radius:0;padding:1rem 0;margin:.75rem 0}\n",
	".state,.findings li,.notes li,pre,.chart,.split,.swatch{"
	"print-color-adjust:exact;-webkit-print-color-adjust:exact}\n",
	".multiples{grid-template-columns:1fr 1fr}\n",
	"figure,li,tr,.headline,dl div,pre{break-inside:avoid}\n",
	"h2,h3,summary{break-after:avoid}\n",
	".scroll{overflow:visible}\n",
	"tbody th{overflow-wrap:anywhere;min-width:0}\n",
	"td{white-space:normal}\n",
	".words{min-width:7rem}\n",
	"table{font-size:9.5pt}\n",
	"th,td{padding:.4rem .5rem}\n",
	"details::details-content{content-visibility:visible;block-size:auto}\n",
	"}\n",
	NULL,
};
/* clang-format on */
