/** How the machine saves power: what decides over the latency of a single thread that waits for each answer. */
#ifndef PROBE_POWER_H
#define PROBE_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/storage.h"

/** An idle state of the processors (C-state), shallowest first. */
struct idle_state {
	char *name;             /* owned; "POLL", "C1E", "C6" */
	double exit_latency_us; /* what it takes to wake up */
	bool is_disabled;       /* on all processors */
};

/** An NVMe controller beneath the target. */
struct nvme_power {
	char *name;                  /* owned; "nvme0" */
	double latency_tolerance_us; /* its PM QoS limit for APST; 0: APST off; HUGE_VAL without a limit; NAN unknown */
	char *link_state;            /* owned; "L1" where its link may sleep (ASPM), "off"; NULL unknown */
};

/** Which kind of system this is, as far as settings are made to last differently there. */
enum system_kind { SYSTEM_OTHER, SYSTEM_TRUENAS, SYSTEM_PROXMOX };

/** All of it, as it is before anything is changed. Strings are owned; NULL, NAN and 0 counts are unknown. */
struct power {
	bool is_hidden;      /* /sys shows no processors: what follows is not known, rather than not there */
	bool is_virtual;     /* a virtual machine: what its host does cannot be seen from here */
	char *driver;        /* of the frequency: "intel_cpufreq", "intel_pstate", "amd-pstate-epp", "acpi-cpufreq" */
	char *governor;      /* "schedutil"; of several "performance (4 of 8), powersave (4 of 8)" */
	char *preference;    /* energy_performance_preference: "balance_performance" */
	unsigned policies;   /* frequency domains; 0: the kernel clocks no processor here */
	unsigned performing; /* those of them with the governor "performance" */
	double frequency_min_hz;
	double frequency_base_hz; /* without turbo */
	double frequency_max_hz;
	char *turbo;         /* "on", "off" */
	char *idle_driver;   /* "intel_idle", "acpi_idle", "haltpoll"; "none" where the kernel says so */
	char *idle_governor; /* "menu" */
	struct idle_state *idle_states;
	size_t idle_state_count;
	char *intel_max_cstate;     /* /sys/module/intel_idle/parameters/max_cstate */
	char *processor_max_cstate; /* /sys/module/processor/parameters/max_cstate */
	double latency_limit_us;    /* the PM QoS limit that /dev/cpu_dma_latency tells; HUGE_VAL without a limit */
	char *aspm_policy;          /* of PCIe: "default", "performance", "powersave" */
	double nvme_max_latency_us; /* nvme_core.default_ps_max_latency_us */
	struct nvme_power *nvmes;
	size_t nvme_count;
	char *command_line;      /* the kernel's */
	char *processor;         /* "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz" */
	char *vendor;            /* "GenuineIntel", "AuthenticAMD" */
	char *product;           /* DMI: "Dell Inc. PowerEdge R630" */
	enum system_kind system; /* by system_kind_find */
};

/** Find out, through `root`; reads only. Never fails. The caller calls power_release. */
void power_find(struct power *power, const char *root, const struct storage *storage);
/** How many frequency domains have the governor "performance" just now. */
unsigned power_count_performing(const char *root);
/** Free what it owns. */
void power_release(struct power *power);

/** The deepest idle state that is not disabled, has a latency and is allowed by the limits above; NULL for none. */
const struct idle_state *power_deepest_idle(const struct power *power);

/** Find out which kind of system it is, through `root`. */
enum system_kind system_kind_find(const char *root);

#endif
