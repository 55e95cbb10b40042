// The vector instructions that Go's assembler for arm64 does not have, as words. Operands
// are the numbers of vector registers in the order of Go's assembler, the destination
// last. TestWords assembles the comment above each macro with the GNU assembler, for every
// register, and compares the words.

// fadd v{d}.4s, v{n}.4s, v{m}.4s
#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))

// fsub v{d}.4s, v{n}.4s, v{m}.4s
#define FSUB(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))

// fmul v{d}.4s, v{n}.4s, v{m}.4s
#define FMUL(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))

// fdiv v{d}.4s, v{n}.4s, v{m}.4s
#define FDIV(m, n, d) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d))

// fmax v{d}.4s, v{n}.4s, v{m}.4s
#define FMAX(m, n, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))

// fmin v{d}.4s, v{n}.4s, v{m}.4s
#define FMIN(m, n, d) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))

// fmla v{d}.4s, v{n}.4s, v{m}.s[{i}]
#define FMLA(i, m, n, d) WORD $(0x4F801000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))

// fcvtl v{d}.4s, v{n}.4h
#define FCVTL(n, d) WORD $(0x0E217800 | (n)<<5 | (d))

// fcvtl2 v{d}.4s, v{n}.8h
#define FCVTL2(n, d) WORD $(0x4E217800 | (n)<<5 | (d))

// neg v{d}.4s, v{n}.4s
#define NEG(n, d) WORD $(0x6EA0B800 | (n)<<5 | (d))

// ushl v{d}.4s, v{n}.4s, v{m}.4s
#define USHL(m, n, d) WORD $(0x6EA04400 | (m)<<16 | (n)<<5 | (d))

// cmhi v{d}.2d, v{n}.2d, v{m}.2d
#define CMHI(m, n, d) WORD $(0x6EE03400 | (m)<<16 | (n)<<5 | (d))
