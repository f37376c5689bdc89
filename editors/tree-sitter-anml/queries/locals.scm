[(block) (component) (function) (process)] @local.scope
(parameter name: (identifier) @local.definition.parameter)
(node name: (identifier) @local.definition.var)
(instance name: (identifier) @local.definition.var)
(let name: (identifier) @local.definition.var)
(for variable: (identifier) @local.definition.var)
(workload name: (identifier) @local.definition.var)
(profile name: (identifier) @local.definition.var)
(function name: (identifier) @local.definition.function)
(component name: (identifier) @local.definition.type)
(schema name: (identifier) @local.definition.type)
(identifier) @local.reference
