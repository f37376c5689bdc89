// An object of one read-only section with all tables, and a symbol for each. There are no relocations, and the header's
// machine, byte order and flags are those of the object that the tables will be linked with: nothing here depends on
// the architecture, apart from ELF64.
#include "codegen/table_object.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace anml {
namespace {

// The section that the object needs besides tells linkers that nothing here wants an executable stack.
enum Section : std::uint16_t { null, rodata, stack_note, symbols, names, section_names, section_count };

constexpr std::size_t aligned(std::size_t at, std::size_t alignment)
{
    return (at + alignment - 1) / alignment * alignment;
}

// A file position and what is written to it.
class Output {
  public:
    explicit Output(std::FILE* file) : file_(file) {}

    void write(const void* data, std::size_t size)
    {
        good_ = good_ && std::fwrite(data, 1, size, file_) == size;
        at_ += size;
    }
    void align(std::size_t alignment)
    {
        static constexpr char kZeros[kTableAlignment] = {};
        write(kZeros, aligned(at_, alignment) - at_);
    }
    std::size_t at() const { return at_; }
    bool good() const { return good_; }

  private:
    std::FILE* file_;
    std::size_t at_ = 0;
    bool good_ = true;
};

}  // namespace

bool write_table_object(std::FILE* file, std::string_view like, std::span<const LargeTable> tables)
{
    static constexpr char kSectionNames[] = "\0.rodata.anml\0.note.GNU-stack\0.symtab\0.strtab\0.shstrtab";
    constexpr Elf64_Word kNames[section_count] = {0, 1, 14, 30, 38, 46};

    std::vector<Elf64_Sym> entries(1);
    std::string strings(1, '\0');
    std::size_t size = 0;
    for (const LargeTable& table : tables) {
        Elf64_Sym symbol{};
        symbol.st_name = static_cast<Elf64_Word>(strings.size());
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
        symbol.st_other = STV_HIDDEN;
        symbol.st_shndx = rodata;
        symbol.st_value = aligned(size, kTableAlignment);
        symbol.st_size = table.bytes.size();
        entries.push_back(symbol);
        strings.append(table.symbol).push_back('\0');
        size = symbol.st_value + symbol.st_size;
    }

    Elf64_Shdr sections[section_count] = {};
    std::size_t at = aligned(sizeof(Elf64_Ehdr), kTableAlignment);
    const auto place = [&](Section section, Elf64_Word type, std::size_t bytes, std::size_t alignment) -> Elf64_Shdr& {
        Elf64_Shdr& header = sections[section];
        header.sh_name = kNames[section];
        header.sh_type = type;
        header.sh_offset = at = aligned(at, alignment);
        header.sh_size = bytes;
        header.sh_addralign = alignment;
        at += bytes;
        return header;
    };
    place(rodata, SHT_PROGBITS, size, kTableAlignment).sh_flags = SHF_ALLOC;
    place(stack_note, SHT_PROGBITS, 0, 1);
    Elf64_Shdr& table = place(symbols, SHT_SYMTAB, entries.size() * sizeof(Elf64_Sym), alignof(Elf64_Sym));
    table.sh_link = names;
    table.sh_info = 1;  // the first that is not local
    table.sh_entsize = sizeof(Elf64_Sym);
    place(names, SHT_STRTAB, strings.size(), 1);
    place(section_names, SHT_STRTAB, sizeof kSectionNames, 1);

    Elf64_Ehdr header;
    std::memcpy(&header, like.data(), sizeof header);  // machine, byte order, flags
    header.e_type = ET_REL;
    header.e_shoff = aligned(at, alignof(Elf64_Shdr));
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = section_count;
    header.e_shstrndx = section_names;

    Output out(file);
    out.write(&header, sizeof header);
    for (const LargeTable& each : tables) {
        out.align(kTableAlignment);
        out.write(each.bytes.data(), each.bytes.size());
    }
    out.align(alignof(Elf64_Sym));
    out.write(entries.data(), entries.size() * sizeof(Elf64_Sym));
    out.write(strings.data(), strings.size());
    out.write(kSectionNames, sizeof kSectionNames);
    out.align(alignof(Elf64_Shdr));
    out.write(sections, sizeof sections);
    return out.good();
}

}  // namespace anml
