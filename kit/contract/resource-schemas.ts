/** What may be sent and is answered of a resource, made from its fields. */
import { z } from 'zod'
import type { Field, FieldKind, Fields } from './field.ts'
import type { Resource } from './resource.ts'
import { id, problem, ref } from './schema.ts'

/** The name of a lookup's record in a row. */
export const refName = (field: string): string => field.replace(/_id$/, '')

// A schema is made once and stands wherever its like is asked for: there are thousands of fields, each in several calls.
const EMPTY_TEXT = z.literal('').transform(() => null)
const NULL = z.null()
const TEXT = z.string().nullable()
const INTEGER = z.int().nullable()
const NUMBER = z.number().nullable()
const FILE = z.object({ id, name: z.string(), size: z.int(), url: z.string().optional() }).nullable()
const NAMED = ref.nullable()

const empties = new WeakMap<z.ZodType, z.ZodType>()
/** What may be left empty. */
function orEmpty(schema: z.ZodType): z.ZodType {
  const made = empties.get(schema) ?? z.union([EMPTY_TEXT, NULL, schema])
  empties.set(schema, made)
  return made
}

/** Schema of what a caller may send. Unknown fields are refused. Create: required fields must be there. Update: any subset, with `version`. */
export function inputSchema(r: Resource, mode: 'create' | 'update'): z.ZodType {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(r.fields)) {
    if (field.readOnly || (mode === 'update' && field.createOnly)) continue
    const schema = field.required ? field.schema : orEmpty(field.schema)
    const optional = mode === 'update' || !field.required || field.kind === 'flag'
    shape[name] = optional ? schema.optional() : schema
  }
  if (mode === 'update') shape.version = z.int().optional()
  return z.strictObject(shape)
}

/** Schema of a row as answered. */
export function rowSchema(r: Resource, mode: 'list' | 'detail'): z.ZodObject {
  const shape: Record<string, z.ZodType> = {
    id,
    version: z.int(),
    removed: z.boolean(),
    abilities: z.array(z.string()),
    refused: z.record(z.string(), problem).optional(),
  }
  for (const [name, field] of Object.entries(r.fields)) {
    if (mode === 'list' && field.detailOnly) continue
    shape[name] = ROW_SCHEMAS[field.kind]?.(field) ?? field.rowSchema.nullable()
    if (field.kind === 'lookup') shape[refName(name)] = NAMED
  }
  return z.object(shape)
}
/** A child row as answered: its id, its values, and the named record beside each lookup. */
const childRow = (fields: Fields): z.ZodType => {
  const shape: Record<string, z.ZodType> = { id }
  for (const [name, field] of Object.entries(fields)) {
    shape[name] = ROW_SCHEMAS[field.kind]?.(field) ?? field.rowSchema.nullable()
    if (field.kind === 'lookup') shape[refName(name)] = NAMED
  }
  return z.object(shape)
}
/** Stored values are not checked again for what only matters on the way in. */
const ROW_SCHEMAS: Partial<Record<FieldKind, (field: Field) => z.ZodType>> = {
  text: () => TEXT,
  localText: () => TEXT,
  longText: () => TEXT,
  richText: () => TEXT,
  code: () => TEXT,
  email: () => TEXT,
  phone: () => TEXT,
  nationalId: () => TEXT,
  passport: () => TEXT,
  integer: () => INTEGER,
  money: () => INTEGER,
  decimal: () => TEXT,
  number: () => NUMBER,
  date: () => TEXT,
  instant: () => TEXT,
  lookups: (field) => (field.readers ? z.array(ref).nullable() : z.array(ref)),
  rows: (field) => {
    const rows = z.array(childRow(field.rows!.fields))
    return field.readers ? rows.nullable() : rows
  },
  file: () => FILE,
}
