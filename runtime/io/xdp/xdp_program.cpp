#include "io/xdp/xdp_program.h"

#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

namespace anml::rt::io {

namespace {

int bpf(int command, bpf_attr& attributes)
{
    return static_cast<int>(syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

Descriptor make_map(std::uint32_t type, std::uint32_t entries)
{
    bpf_attr attributes{};
    attributes.map_type = type;
    attributes.key_size = attributes.value_size = sizeof(std::uint32_t);
    attributes.max_entries = entries;
    return Descriptor(bpf(BPF_MAP_CREATE, attributes));
}

std::uint64_t pointer(const void* to) { return reinterpret_cast<std::uintptr_t>(to); }

template <class T>
constexpr std::uint8_t width_of()
{
    return sizeof(T) == 8 ? BPF_DW : sizeof(T) == 4 ? BPF_W : BPF_H;
}

// Instructions, with jumps to places that are known later.
class Assembler {
  public:
    enum Label { ours, too_long, redirect, pass, kLabels };
    using Register = std::uint8_t;

    void set(Register to, Register from) { add(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
    void set_value(Register to, std::int32_t value) { add(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value); }
    void add_value(Register to, std::int32_t value) { add(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value); }
    void set_map(Register to, const Descriptor& map)
    {
        add(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, map.get());
        add(0, 0, 0, 0, 0);
    }
    template <class T>
    void load(Register to, Register base, std::size_t offset)
    {
        add(BPF_LDX | BPF_MEM | width_of<T>(), to, base, static_cast<std::int16_t>(offset), 0);
    }
    template <class T>
    void store(Register base, int offset, Register from)
    {
        add(BPF_STX | BPF_MEM | width_of<T>(), base, from, static_cast<std::int16_t>(offset), 0);
    }
    void store_value(Register base, int offset, std::int32_t value)
    {
        add(BPF_ST | BPF_MEM | BPF_W, base, 0, static_cast<std::int16_t>(offset), value);
    }
    void count(Register at, Register by) { add(BPF_STX | BPF_ATOMIC | BPF_W, at, by, 0, BPF_ADD); }
    void call(std::int32_t helper) { add(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }
    void leave() { add(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }
    void jump_if(std::uint8_t how, Register left, Register right, Label label)
    {
        jumps_.push_back({code_.size(), label});
        add(BPF_JMP | how | BPF_X, left, right, 0, 0);
    }
    void jump_if_value(std::uint8_t how, Register left, std::uint32_t right, Label label)
    {
        jumps_.push_back({code_.size(), label});
        add(BPF_JMP32 | how | BPF_K, left, 0, 0, static_cast<std::int32_t>(right));
    }
    void jump_if_null(Register left, Label label)
    {
        jumps_.push_back({code_.size(), label});
        add(BPF_JMP | BPF_JEQ | BPF_K, left, 0, 0, 0);
    }
    void place(Label label) { places_[label] = code_.size(); }
    const std::vector<bpf_insn>& finish()
    {
        for (const Jump& jump : jumps_)
            code_[jump.at].off = static_cast<std::int16_t>(places_[jump.label] - jump.at - 1);
        return code_;
    }

  private:
    struct Jump {
        std::size_t at;
        Label label;
    };
    void add(int code, Register to, Register from, std::int16_t offset, std::int32_t value)
    {
        bpf_insn instruction{};
        instruction.code = static_cast<std::uint8_t>(code);
        instruction.dst_reg = to & 15;
        instruction.src_reg = from & 15;
        instruction.off = offset;
        instruction.imm = value;
        code_.push_back(instruction);
    }
    std::vector<bpf_insn> code_;
    std::vector<Jump> jumps_;
    std::size_t places_[kLabels] = {};
};

constexpr auto kData = offsetof(xdp_md, data), kDataEnd = offsetof(xdp_md, data_end),
               kDataMeta = offsetof(xdp_md, data_meta), kQueue = offsetof(xdp_md, rx_queue_index);
constexpr int kNoteSize = sizeof(XdpNote);

// r6 is the context; r2 and r3 the frame's begin and end, or the note's.
void select(Assembler& code, const wire::MacAddress& mac)
{
    std::uint32_t first;
    std::uint16_t rest;
    std::memcpy(&first, mac.data(), sizeof first);
    std::memcpy(&rest, mac.data() + sizeof first, sizeof rest);
    code.set(6, 1);
    code.load<std::uint32_t>(2, 6, kData);
    code.load<std::uint32_t>(3, 6, kDataEnd);
    code.set(4, 2);
    code.add_value(4, ETH_HLEN);
    code.jump_if(BPF_JGT, 4, 3, Assembler::pass);
    code.load<std::uint32_t>(5, 2, 0);
    code.jump_if_value(BPF_JNE, 5, first, Assembler::pass);
    code.load<std::uint16_t>(5, 2, 4);
    code.jump_if_value(BPF_JNE, 5, rest, Assembler::pass);
    code.load<std::uint16_t>(5, 2, 12);
    code.jump_if_value(BPF_JEQ, 5, htons(ETH_P_IP), Assembler::ours);
    code.jump_if_value(BPF_JNE, 5, htons(ETH_P_IPV6), Assembler::pass);
    code.place(Assembler::ours);
}

void write_note(Assembler& code)
{
    code.set(1, 6);
    code.set_value(2, -kNoteSize);
    code.call(BPF_FUNC_xdp_adjust_meta);
    code.jump_if_value(BPF_JNE, 0, 0, Assembler::redirect);
    code.call(BPF_FUNC_ktime_get_ns);
    code.load<std::uint32_t>(2, 6, kDataMeta);
    code.load<std::uint32_t>(3, 6, kData);
    code.set(4, 2);
    code.add_value(4, kNoteSize);
    code.jump_if(BPF_JGT, 4, 3, Assembler::redirect);
    code.store<std::uint64_t>(2, offsetof(XdpNote, arrived), 0);
    code.store_value(2, offsetof(XdpNote, mark), XdpNote::kMark);
    code.store<std::uint32_t>(2, offsetof(XdpNote, passed), 8);
}

std::vector<bpf_insn> program(const wire::MacAddress& mac, std::uint32_t longest, const Descriptor& sockets,
                              const Descriptor& passed)
{
    Assembler code;
    select(code, mac);
    code.store_value(10, -4, 0);
    code.set_map(1, passed);
    code.set(2, 10);
    code.add_value(2, -4);
    code.call(BPF_FUNC_map_lookup_elem);
    code.jump_if_null(0, Assembler::pass);
    code.load<std::uint32_t>(2, 6, kData);
    code.load<std::uint32_t>(3, 6, kDataEnd);
    code.set(4, 2);
    code.add_value(4, static_cast<std::int32_t>(longest));
    code.jump_if(BPF_JLT, 4, 3, Assembler::too_long);
    code.load<std::uint32_t>(8, 0, 0);
    write_note(code);
    code.place(Assembler::redirect);
    code.set_map(1, sockets);
    code.load<std::uint32_t>(2, 6, kQueue);
    code.set_value(3, XDP_PASS);  // of a queue without a socket
    code.call(BPF_FUNC_redirect_map);
    code.leave();
    code.place(Assembler::too_long);
    code.set_value(1, 1);
    code.count(0, 1);
    code.place(Assembler::pass);
    code.set_value(0, XDP_PASS);
    code.leave();
    return code.finish();
}

}  // namespace

int XdpProgram::load(const wire::MacAddress& mac, std::uint32_t longest)
{
    sockets_ = make_map(BPF_MAP_TYPE_XSKMAP, kQueues);
    if (!sockets_.valid()) return errno;
    passed_ = make_map(BPF_MAP_TYPE_ARRAY, 1);
    if (!passed_.valid()) return errno;
    const std::vector<bpf_insn> code = program(mac, longest, sockets_, passed_);
    bpf_attr attributes{};
    attributes.prog_type = BPF_PROG_TYPE_XDP;
    attributes.expected_attach_type = BPF_XDP;
    attributes.insns = pointer(code.data());
    attributes.insn_cnt = static_cast<std::uint32_t>(code.size());
    attributes.license = pointer("Apache-2.0");
    std::memcpy(attributes.prog_name, "anml_endpoint", sizeof "anml_endpoint");
    program_.reset(bpf(BPF_PROG_LOAD, attributes));
    return program_.valid() ? 0 : errno;
}

int XdpProgram::attach(int interface_index)
{
    for (const bool generic : {false, true}) {
        bpf_attr attributes{};
        attributes.link_create.prog_fd = static_cast<std::uint32_t>(program_.get());
        attributes.link_create.target_ifindex = static_cast<std::uint32_t>(interface_index);
        attributes.link_create.attach_type = BPF_XDP;
        attributes.link_create.flags = generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
        link_.reset(bpf(BPF_LINK_CREATE, attributes));
        if (link_.valid()) {
            generic_ = generic;
            return 0;
        }
        const bool definite = errno == EPERM || errno == EACCES || errno == EBUSY || errno == EEXIST;
        if (generic || definite) return errno;
        refusal_ = errno;
    }
    return EINVAL;
}

int XdpProgram::direct(std::uint32_t queue, int socket)
{
    bpf_attr attributes{};
    attributes.map_fd = static_cast<std::uint32_t>(sockets_.get());
    attributes.key = pointer(&queue);
    attributes.value = pointer(&socket);
    return bpf(BPF_MAP_UPDATE_ELEM, attributes) == 0 ? 0 : errno;
}

}  // namespace anml::rt::io
