import { call, idParam, inputSchema, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { STUDENT_SECTIONS, student } from '../student/student.contract.ts'

const details = z.enum([...STUDENT_SECTIONS.map((s) => s.key), 'notes'])
/** A section of a student's data, as the paths name it; `notes` is what staff write about a student. */
export type Details = z.output<typeof details>

/** What students may change of themselves. */
export const OWN_SECTIONS: readonly Details[] = ['contact']

const params = z.object({ id: idParam, details })
const values = z.record(z.string(), z.unknown())
const notes = safeText(4000).nullable()
/** Every field that can be sent for a student. */
const anyField = (inputSchema(student, 'update') as z.ZodObject).extend({ notes: notes.optional() })
const section = z.object({
  data: z.object({
    id: z.int(),
    version: z.int(),
    code: z.string(),
    name: z.string(),
    name_local: z.string(),
    details,
    /** Fields of the section, lookups with the record they name beside them. */
    values,
    /** An address that the student gave and has not confirmed yet; of the contact data. */
    waits: z.string().nullable(),
    abilities: z.array(z.string()),
  }),
})
export type SectionAnswer = z.output<typeof section>['data']

/** One section of a student's data, read and saved by itself, so that two people may work on two sections. */
export const sectionCalls = {
  section: call('GET', '/students/Edit/{id}/{details}', {
    permission: ['edit_students', 'edit_student_notes', 'access_student'],
    summary: ['Show one section of a student for editing', 'عرض قسم من بيانات طالب للتعديل'],
    params,
    response: section,
  }),
  saveSection: call('PUT', '/students/{id}/{details}', {
    permission: ['edit_students', 'edit_student_notes', 'access_student'],
    summary: ['Save one section of a student', 'حفظ قسم من بيانات طالب'],
    params,
    /** Fields of the section, any subset, with `version`. */
    body: anyField,
    response: section,
    example: { phone: '01001234567' },
  }),
  updateNotes: call('POST', '/students/update_notes/{id}', {
    permission: 'edit_student_notes',
    summary: ['Write notes about a student', 'كتابة ملاحظات عن طالب'],
    body: z.strictObject({ notes, version: z.int().optional() }),
    response: z.object({ id: z.int(), version: z.int() }),
    example: { notes: 'Moved to the evening group.' },
  }),
}

/** Schema of what is sent for a section: its fields, any subset, with `version`. */
export function sectionSchema(key: Details): z.ZodType<Record<string, unknown>> {
  if (key === 'notes') return z.strictObject({ notes, version: z.int().optional() })
  const names = STUDENT_SECTIONS.find((s) => s.key === key)!.fields
  const mask = Object.fromEntries(
    [...names, 'version'].filter((name) => name in anyField.shape).map((name) => [name, true as const]),
  )
  return anyField.pick(mask as never)
}
