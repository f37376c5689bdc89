// lld asks for the passes of the projects that Debian's LLVM was built with besides, for programs that come as bitcode.
// None does: emulators are compiled before they are linked. So these projects, Polly, stay out.
#include <llvm/Passes/PassPlugin.h>

#define HANDLE_EXTENSION(name)                                                  \
    llvm::PassPluginLibraryInfo get##name##PluginInfo();                        \
    llvm::PassPluginLibraryInfo get##name##PluginInfo()                         \
    {                                                                           \
        return {LLVM_PLUGIN_API_VERSION, #name, "", [](llvm::PassBuilder&) {}}; \
    }
#include <llvm/Support/Extension.def>
