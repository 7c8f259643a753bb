const anId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** With the ids that things got here. An id is one wherever it stands: in a column, in a look, in the address of a link. */
export function withNewIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  return JSON.parse(JSON.stringify(value).replace(anId, (id) => ids.get(id) ?? id)) as Value
}
