import assert from 'node:assert/strict'
import { test } from 'node:test'
import TypeBox from 'typebox'
import Type from './type.ts'

/** The same schemas, built with either library. */
const said = ({ String, Integer, Number, Boolean, Null, Unknown, Unsafe, Literal, ...holds }: typeof Type) => {
  const { Array, Union, Record, Object, Optional } = holds
  return [
    String(),
    String({ maxLength: 3, description: 'Short.' }),
    Integer({ minimum: 1 }),
    Number(),
    Boolean({ default: true }),
    Null(),
    Unknown(),
    Unknown({ description: 'Whatever.' }),
    Unsafe({ type: 'string', format: 'date-time' }),
    Literal('page'),
    Literal(1),
    Literal(true, { description: 'Always.' }),
    Array(String(), { maxItems: 2 }),
    Union([Literal('a'), Null()], { description: 'One of them.' }),
    Record(String(), Integer(), { maxProperties: 20 }),
    Record(String({ pattern: '^[a-z]+$' }), Unknown()),
    Object({}),
    Object({ a: Optional(String()) }),
    Object(
      { a: String(), b: Optional(Union([String(), Null()])), c: Boolean() },
      { $id: 'It', additionalProperties: false },
    ),
    Optional(String({ maxLength: 3 })),
  ]
}

test('our schema functions produce the same schemas as TypeBox, including the order of keywords', () => {
  const [ours, theirs] = [said(Type), said(TypeBox)].map((all) => all.map((each) => JSON.stringify(each)))
  assert.deepEqual(ours, theirs)
})

test('making a schema optional in one object does not make it optional in another', () => {
  const name = Type.String()
  Type.Optional(name)
  assert.deepEqual((Type.Object({ name }) as { required?: string[] }).required, ['name'])
})
