/* A plugin of the emulator QEMU that counts the instructions a program executes and prints the
 * number to the standard error when it ends. The declarations are those of QEMU's plugin interface, version 1
 * (https://www.qemu.org/docs/master/devel/tcg-plugins.html), since Debian packages no header. */
#include <stdint.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct block;
enum { add_u64 = 0 };

size_t qemu_plugin_tb_n_insns(const struct block *block);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id id, struct block *block));
void qemu_plugin_register_vcpu_tb_exec_inline(struct block *block, int operation, void *at, uint64_t value);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id id, void *data), void *data);

int qemu_plugin_version = 1;

static uint64_t executed;

static void translated(plugin_id id, struct block *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, add_u64, &executed, qemu_plugin_tb_n_insns(block));
}

static void ended(plugin_id id, void *data) {
  (void)id;
  (void)data;
  fprintf(stderr, "instructions %llu\n", (unsigned long long)executed);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
