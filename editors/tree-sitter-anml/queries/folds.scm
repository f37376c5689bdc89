[(schema_body) (process_body) (block) (attributes) (timeline) (ramp_body) (overrides) (parameters) (list) (enum)] @fold
