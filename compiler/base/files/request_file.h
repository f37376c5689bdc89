// Requests that are written out, in the format that editors know (`.http`, `.rest`):
//   @host = example.com                  a variable of the file, for {{host}} below it
//   ### login                            a request begins; its name may stand here, or behind `# @name`
//   POST https://{{host}}/login          method and URL, or a path; lines that begin with a blank and ? or & go on
//   Content-Type: application/json       header fields
//                                        an empty line, and the body, or `< file` for what a file has
//   {"user": "me"}
//   {"user": "me", "id": "{{$uuid}}"}    what a run makes, values of responses (request_slots.h)
//   ?? status == 201                     a check of the response
//   proto < shop.proto                   defines what calls of gRPC below it are made of
//   GRPC host/shop.Cart/Add              a call; its messages stand in the body as JSON, between them lines of `===`
// Lines that begin with # or // are comments, but for those of a body; `# @data users.csv` gives a table whose columns
// are variables, `# @disabled` and `# @loop` say whether a request is sent, and how often, `# @think 2 s` what passes
// behind its response, `# @group checkout` by which name it and those below are counted, too.
#pragma once

#include <map>
#include <set>

#include "base/files/data_file.h"
#include "base/files/proto_file.h"
#include "base/files/request_slots.h"
#include "base/files/request_text.h"

namespace anml {

inline constexpr std::size_t kLargestRequests = std::size_t{64} << 20;  // bytes of a file, bodies included
inline constexpr std::size_t kMostRequests = 10000;

bool is_request_file(std::string_view path);  // by its name

class RequestFileReader {
  public:
    // `folder`: where files that bodies name are looked for.
    explicit RequestFileReader(std::string folder);
    // `begin`: where it is in the file. Behind what is wrong it goes on, and says nothing of what follows from that.
    static constexpr std::size_t kMostErrors = 20;
    LineError take(std::string_view line, std::size_t begin);
    LineError take(std::string_view line) { return take(line, next_); }  // behind the one before it
    LineError end();       // the last line was; its place is one in the file
    std::string finish();  // "", or what is wrong with the file as a whole
    std::vector<FileDocument> documents;
    std::vector<std::string> included;  // files that bodies name, by path

  private:
    enum class Place : std::uint8_t { before, fields, body };

    LineError take_line(std::string_view line);
    void recover(std::string_view line);
    LineError take_name(std::string_view line, std::string_view name);
    LineError take_variable(std::string_view line);
    LineError take_target(std::string_view line);
    LineError take_proto(std::string_view line);
    LineError take_method(std::string_view line, std::string_view target);
    LineError take_messages(std::string_view line);
    LineError make_call();  // of the messages that were taken; its place is one in the file
    LineError take_field(std::string_view line);
    LineError take_body(std::string_view line);
    LineError take_table(std::string_view line, std::string_view words);
    LineError take_think(std::string_view line, std::string_view words);
    LineError take_loop(std::string_view line, std::string_view words);
    LineError take_disabled(std::string_view line, std::string_view words);
    LineError take_condition(std::string_view line, std::string_view words, char item);
    void may_be_absent(std::string_view text);  // values of responses in it
    LineError take_check(std::string_view line);
    bool is_request(std::string_view name) const;
    // Variables by their values, or as slots. Brackets that are none stay in a body alone.
    LineError fill_in(std::string_view line, std::string& text, bool in_body = false);
    std::string resolve(const std::string& name, std::string& value);  // one of them; "", or what is wrong
    std::string make(const request_slots::Function& function, std::string& value);  // the same of a function
    std::string make(std::string code, const std::string& key, const std::string& text);  // the slot of what is made
    void add_made(std::string_view text, std::vector<bool>& added);  // what the slots of `text` need, to the script
    std::string value_of(const std::string& name, std::string& value);  // of a response; "", or what is wrong
    std::string read_beside(std::string_view named, std::string& text);  // a file beside this one; "", or why not
    bool made_of_body(std::string_view text) const;
    bool made_of_body(std::string_view text, std::vector<bool>& seen) const;  // of what is made: what was looked at
    LineError add_path(std::string_view line, std::string_view text);
    void begin_request(std::string_view name);
    LineError end_request();  // its place is one in the file

    std::string folder_;
    std::map<std::string, std::string, std::less<>> variables_;
    Place place_ = Place::before;
    FileDocument now_;
    std::string type_;  // of its body, where a field says it
    std::string script_;  // its values and checks
    bool left_out_ = false, of_itself_ = false;  // the request; and what is read now may ask for its own response
    std::vector<std::string> values_;  // of responses, as references name them
    std::vector<std::string> made_;    // items of what is made, by their numbers
    std::size_t drawn_ = 0;            // places where something is drawn
    std::string rows_;                 // of the table
    std::string group_;                // of the requests that follow
    std::vector<std::string> columns_, first_row_;
    std::size_t included_bytes_ = 0;  // bytes of files, of all requests
    ProtoFiles protos_;
    // Of documents, and of the request that is read: the method that it calls; null: it is no call.
    std::vector<const google::protobuf::MethodDescriptor*> methods_;
    const google::protobuf::MethodDescriptor* method_ = nullptr;
    struct Piece {
        std::size_t at, begin, end;  // in `messages_`, and what of the file it comes from
        bool included;
    };
    std::string messages_;  // of a call, as they are written
    std::vector<Piece> pieces_;
    request_text::Ranges raw_;  // of a body, what comes from files
    std::size_t offset_ = 0;  // where the line begins in the file
    std::size_t next_ = 0;    // and the next
    std::size_t line_ = 0;    // its number
    LineError name_;          // where the request's name stands in the file
    std::size_t name_line_ = 0;
    std::map<std::string, std::size_t> named_in_;     // lines, of names that are given
    std::set<std::string, std::less<>> wrong_names_;  // requests with errors
    bool skips_ = false;                              // the rest of a request with one
    bool over_ = false;                               // what is wrong is needed by all that follows
};

bool is_one_request(std::string_view text);  // without files

}  // namespace anml
