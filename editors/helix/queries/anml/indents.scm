[(schema_body) (process_body) (block) (attributes) (timeline) (ramp_body) (overrides) (parameters) (arguments) (list) (enum)]
  @indent
["}" ")" "]"] @outdent
