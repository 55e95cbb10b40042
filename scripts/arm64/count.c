/* A plugin of the emulator QEMU that counts the instructions a Go program executes and prints the
 * number to the standard error when it ends. The second thread is left out: it is the monitor of Go's
 * runtime (sysmon), whose instructions depend on the time the program takes. The declarations are
 * those of QEMU's plugin interface, version 1
 * (https://www.qemu.org/docs/master/devel/tcg-plugins.html), since Debian packages no header. */
#include <stdint.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct block;
enum { no_registers = 0, monitor = 1, threads = 64 };

size_t qemu_plugin_tb_n_insns(const struct block *block);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id id, struct block *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct block *block, void (*executed)(unsigned int thread, void *data), int registers, void *data);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id id, void *data), void *data);

int qemu_plugin_version = 1;

static uint64_t counts[threads];

static void executed(unsigned int thread, void *instructions) { counts[thread % threads] += (uintptr_t)instructions; }

static void translated(plugin_id id, struct block *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, no_registers, (void *)qemu_plugin_tb_n_insns(block));
}

static void ended(plugin_id id, void *data) {
  (void)id;
  (void)data;
  uint64_t sum = 0;
  for (int i = 0; i < threads; i++)
    if (i != monitor) sum += counts[i];
  fprintf(stderr, "instructions %llu\n", (unsigned long long)sum);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
