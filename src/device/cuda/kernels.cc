// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels.h"

namespace strobe::cuda {
namespace {

// PTX 7.0 for sm_70: every GPU since 2017 and every driver this program accepts.
constexpr const char* kPtx = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .entry strobe_empty()
{
  ret;
}

// Spins until the GPU's timer has advanced by `length`; stores when it began and when it saw the end.
.visible .entry strobe_spin(.param .u64 length, .param .u64 truth)
{
  .reg .u64 %length, %truth, %begin, %end, %now;
  .reg .pred %early, %none;
  ld.param.u64 %length, [length];
  ld.param.u64 %truth, [truth];
  mov.u64 %begin, %globaltimer;
  add.u64 %end, %begin, %length;
again:
  mov.u64 %now, %globaltimer;
  setp.lt.u64 %early, %now, %end;
  @%early bra again;
  setp.eq.u64 %none, %truth, 0;
  @%none bra done;
  st.volatile.u64 [%truth], %begin;
  st.volatile.u64 [%truth+8], %now;
done:
  ret;
}

// One thread per multiprocessor; multiprocessor 0 stores its cycle counter beside the GPU's timer.
.visible .entry strobe_clock(.param .u64 stamp)
{
  .reg .u64 %stamp, %time, %cycles;
  .reg .u32 %sm;
  .reg .pred %other;
  ld.param.u64 %stamp, [stamp];
  mov.u32 %sm, %smid;
  setp.ne.u32 %other, %sm, 0;
  @%other bra done;
  mov.u64 %time, %globaltimer;
  mov.u64 %cycles, %clock64;
  st.volatile.u64 [%stamp], %time;
  st.volatile.u64 [%stamp+8], %cycles;
done:
  ret;
}

// Waits until the word has reached the ticket (cyclic), but never longer than `timeout`.
.visible .entry strobe_gate(.param .u64 word, .param .u32 ticket, .param .u64 timeout)
{
  .reg .u64 %word, %timeout, %end, %now;
  .reg .u32 %ticket, %value;
  .reg .s32 %ahead;
  .reg .pred %open, %late;
  ld.param.u64 %word, [word];
  ld.param.u32 %ticket, [ticket];
  ld.param.u64 %timeout, [timeout];
  mov.u64 %now, %globaltimer;
  add.u64 %end, %now, %timeout;
again:
  ld.volatile.u32 %value, [%word];
  sub.s32 %ahead, %value, %ticket;
  setp.ge.s32 %open, %ahead, 0;
  @%open bra done;
  mov.u64 %now, %globaltimer;
  setp.ge.u64 %late, %now, %end;
  @!%late bra again;
done:
  ret;
}

// Normal numbers by Box-Muller from a hash of seed and index. format: 0 f32, 1 f16, 2 bf16.
.visible .entry strobe_fill(.param .u64 to, .param .u64 count, .param .u64 seed, .param .u32 format)
{
  .reg .u64 %to, %count, %seed, %i, %step, %h, %x, %address;
  .reg .u32 %format, %block, %threads, %thread, %blocks, %a, %b, %bits, %global, %all;
  .reg .f32 %u, %v, %r, %angle, %n;
  .reg .b16 %half;
  .reg .pred %past, %is;
  ld.param.u64 %to, [to];
  ld.param.u64 %count, [count];
  ld.param.u64 %seed, [seed];
  ld.param.u32 %format, [format];
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %global, %block, %threads, %thread;
  mul.lo.u32 %all, %blocks, %threads;
  cvt.u64.u32 %i, %global;
  cvt.u64.u32 %step, %all;
again:
  setp.ge.u64 %past, %i, %count;
  @%past bra done;
  mad.lo.u64 %h, %i, 0x9e3779b97f4a7c15, %seed;
  shr.u64 %x, %h, 30;
  xor.b64 %h, %h, %x;
  mul.lo.u64 %h, %h, 0xbf58476d1ce4e5b9;
  shr.u64 %x, %h, 27;
  xor.b64 %h, %h, %x;
  mul.lo.u64 %h, %h, 0x94d049bb133111eb;
  shr.u64 %x, %h, 31;
  xor.b64 %h, %h, %x;
  cvt.u32.u64 %a, %h;
  shr.u64 %x, %h, 32;
  cvt.u32.u64 %b, %x;
  shr.u32 %a, %a, 8;
  add.u32 %a, %a, 1;
  cvt.rn.f32.u32 %u, %a;
  mul.f32 %u, %u, 0f33800000;
  cvt.rn.f32.u32 %v, %b;
  mul.f32 %v, %v, 0f2F800000;
  lg2.approx.f32 %r, %u;
  mul.f32 %r, %r, 0fBFB17218;
  sqrt.approx.f32 %r, %r;
  mul.f32 %angle, %v, 0f40C90FDB;
  cos.approx.f32 %n, %angle;
  mul.f32 %n, %n, %r;
  setp.eq.u32 %is, %format, 0;
  @%is bra single;
  shl.b64 %address, %i, 1;
  add.u64 %address, %address, %to;
  setp.eq.u32 %is, %format, 1;
  @%is bra half;
  mov.b32 %bits, %n;
  shr.u32 %bits, %bits, 16;
  cvt.u16.u32 %half, %bits;
  st.b16 [%address], %half;
  bra next;
half:
  cvt.rn.f16.f32 %half, %n;
  st.b16 [%address], %half;
  bra next;
single:
  shl.b64 %address, %i, 2;
  add.u64 %address, %address, %to;
  st.f32 [%address], %n;
next:
  add.u64 %i, %i, %step;
  bra again;
done:
  ret;
}

// Writes patterned words.
.visible .entry strobe_write(.param .u64 to, .param .u64 words)
{
  .reg .u64 %to, %words, %i, %step, %offset, %address;
  .reg .u32 %block, %threads, %thread, %blocks, %global, %all, %value, %low;
  .reg .pred %past;
  ld.param.u64 %to, [to];
  ld.param.u64 %words, [words];
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %global, %block, %threads, %thread;
  mul.lo.u32 %all, %blocks, %threads;
  cvt.u64.u32 %i, %global;
  cvt.u64.u32 %step, %all;
again:
  setp.ge.u64 %past, %i, %words;
  @%past bra done;
  shl.b64 %offset, %i, 2;
  cvt.u32.u64 %low, %i;
  mul.lo.u32 %value, %low, 0x9e3779b1;
  add.u64 %address, %to, %offset;
  st.u32 [%address], %value;
  add.u64 %i, %i, %step;
  bra again;
done:
  ret;
}

// Reads words; the sum keeps the reads alive.
.visible .entry strobe_read(.param .u64 from, .param .u64 words, .param .u64 sink)
{
  .reg .u64 %from, %words, %sink, %i, %step, %offset, %address;
  .reg .u32 %block, %threads, %thread, %blocks, %global, %all, %value, %sum;
  .reg .pred %past, %never;
  ld.param.u64 %from, [from];
  ld.param.u64 %words, [words];
  ld.param.u64 %sink, [sink];
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %global, %block, %threads, %thread;
  mul.lo.u32 %all, %blocks, %threads;
  cvt.u64.u32 %i, %global;
  cvt.u64.u32 %step, %all;
  mov.u32 %sum, 0;
again:
  setp.ge.u64 %past, %i, %words;
  @%past bra done;
  shl.b64 %offset, %i, 2;
  add.u64 %address, %from, %offset;
  ld.volatile.u32 %value, [%address];
  add.u32 %sum, %sum, %value;
  add.u64 %i, %i, %step;
  bra again;
done:
  setp.ne.u32 %never, %sum, 0x13579bdf;
  @%never bra out;
  st.u32 [%sink], %sum;
out:
  ret;
}
)";

constexpr unsigned kBlock = 256, kGrid = 1056;  // eight blocks for each of an H200's 132 multiprocessors

}  // namespace

Kernels::Kernels(const Driver& driver) : driver_(driver) {
  check(driver_, driver_.module_load_data(&module_, kPtx), "cannot load Strobe's own kernels");
  empty_ = function("strobe_empty");
  spin_ = function("strobe_spin");
  clock_ = function("strobe_clock");
  gate_ = function("strobe_gate");
  fill_ = function("strobe_fill");
  write_ = function("strobe_write");
  read_ = function("strobe_read");
}

Kernels::~Kernels() {
  if (module_) driver_.module_unload(module_);
}

CUfunction Kernels::function(const char* name) const {
  CUfunction f = nullptr;
  check(driver_, driver_.module_get_function(&f, module_, name), "cannot find one of Strobe's own kernels");
  return f;
}

void Kernels::launch(CUfunction f, unsigned grid, unsigned block, CUstream stream, void** arguments) const {
  check(driver_, driver_.launch_kernel(f, grid, 1, 1, block, 1, 1, 0, stream, arguments, nullptr),
        "cannot launch one of Strobe's own kernels");
}

void Kernels::empty(CUstream stream) const {
  launch(empty_, 1, 1, stream, nullptr);
}

void Kernels::spin(CUstream stream, nanoseconds length, CUdeviceptr truth) const {
  auto ns = static_cast<std::uint64_t>(length.count());
  void* arguments[] = {&ns, &truth};
  launch(spin_, 1, 1, stream, arguments);
}

void Kernels::clock(CUstream stream, CUdeviceptr stamp, int multiprocessors) const {
  void* arguments[] = {&stamp};
  launch(clock_, static_cast<unsigned>(multiprocessors), 1, stream, arguments);
}

void Kernels::gate(CUstream stream, CUdeviceptr word, std::uint32_t ticket, nanoseconds timeout) const {
  auto ns = static_cast<std::uint64_t>(timeout.count());
  void* arguments[] = {&word, &ticket, &ns};
  launch(gate_, 1, 1, stream, arguments);
}

void Kernels::fill_normal(CUstream stream, CUdeviceptr to, std::uint64_t count, std::uint64_t seed,
                          FloatFormat format) const {
  std::uint32_t code = format == FloatFormat::f32 ? 0 : format == FloatFormat::f16 ? 1 : 2;
  void* arguments[] = {&to, &count, &seed, &code};
  launch(fill_, kGrid, kBlock, stream, arguments);
}

void Kernels::write(CUstream stream, CUdeviceptr to, std::uint64_t words) const {
  void* arguments[] = {&to, &words};
  launch(write_, kGrid, kBlock, stream, arguments);
}

void Kernels::read(CUstream stream, CUdeviceptr from, std::uint64_t words, CUdeviceptr sink) const {
  void* arguments[] = {&from, &words, &sink};
  launch(read_, kGrid, kBlock, stream, arguments);
}

}  // namespace strobe::cuda
