import { z } from 'zod'
import { call, f, idParam } from '#kit/contract/index.ts'
import type { NamePart } from './name.rules.ts'

/** A person by the record that people know: a student, an instructor, or the account itself. */
const person = z.object({ kind: z.enum(['user', 'student', 'instructor']), id: idParam })

const empty = (schema: z.ZodType) =>
  z.union([z.literal('').transform(() => null), z.null(), schema]) as unknown as z.ZodType<string | null>
const latin = empty(f.englishText(['Name', 'الاسم'], { required: true, person: true, max: 80 }).schema)
const arabic = empty(f.localText(['Name', 'الاسم'], { required: true, person: true, max: 80 }).schema)
/** Parts of a script, all empty where they are not known: Arabic ones end in `_local`. */
const parts = { given: latin, father: latin, grandfather: latin, family: latin } satisfies Record<NamePart, unknown>
const partsLocal = { given_local: arabic, father_local: arabic, grandfather_local: arabic, family_local: arabic }
const shownParts = z.object({
  given: z.string().nullable(),
  father: z.string().nullable(),
  grandfather: z.string().nullable(),
  family: z.string().nullable(),
})
const shown = z.object({
  version: z.int(),
  /** The full names: papers bear them. */
  name: z.string(),
  name_local: z.string(),
  used_name: z.string().nullable(),
  used_name_local: z.string().nullable(),
  /** Known parts; null: only the full name is known. */
  latin: shownParts.nullable(),
  arabic: shownParts.nullable(),
  may_change: z.boolean(),
})

/** The names of a person: in parts, where they are known, and the one by which he or she is called. */
export const nameCalls = {
  namesOf: call('GET', '/people/{kind}/{id}/names', {
    permission: ['access_users', 'show_employee', 'show_instructor', 'show_students'],
    summary: ['Names of a person in parts', 'اسم شخص بأجزائه'],
    params: person,
    response: z.object({ data: shown }),
  }),
  setNames: call('PUT', '/people/{kind}/{id}/names', {
    permission: ['edit_users', 'edit_employee', 'edit_instructor', 'edit_students'],
    summary: ['Set the names of a person in parts', 'تعديل اسم شخص بأجزائه'],
    params: person,
    body: z.strictObject({ version: z.int(), ...parts, ...partsLocal, used_name: latin, used_name_local: arabic }),
    response: z.object({ data: shown }),
    example: {
      version: 1,
      given: 'Mona',
      father: 'Adel',
      grandfather: null,
      family: 'Abd El Rahman',
      given_local: 'منى',
      father_local: 'عادل',
      grandfather_local: null,
      family_local: 'عبد الرحمن',
      used_name: 'Mona Adel',
      used_name_local: 'منى عادل',
    },
  }),
}
