import { z } from 'zod'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { call, date, f, id, ref, safeText, type Label } from '#kit/contract/index.ts'
import { SUCCESSION_KINDS, type HistoryUnit } from './unit.rules.ts'

const kind = z.enum(SUCCESSION_KINDS.map((one) => one.value))
const formerName = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  /** The first day on which it was called otherwise. */
  until_day: z.string(),
  /** The faculty to which it belonged then; null: it is one, or it was the same. */
  within: ref.nullable(),
})
const succession = z.object({ id, of: ref, on_day: z.string(), kind, note: z.string().nullable() })
const history = z.object({
  /** The latest first. */
  names: z.array(formerName),
  came_from: z.array(succession),
  became: z.array(succession),
  /** Whether the reader may change it. */
  changes: z.boolean(),
})
export type UnitPast = z.output<typeof history>
export type FormerNameRow = z.output<typeof formerName>
export type SuccessionRow = z.output<typeof succession>

/** What a former name is typed as. */
export const FORMER_NAME_FIELDS = {
  name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
  name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
  until_day: f.date(['Called otherwise from', 'تغير الاسم اعتبارًا من'], { required: true }),
} as const
const typedName = z.strictObject({ name: safeText(200, 1), name_local: safeText(200, 1), until_day: date })
const typedSuccession = z.strictObject({
  unit_ids: z.array(id).min(1).max(20),
  on_day: date,
  kind,
  note: safeText(500).nullish(),
})
export type TypedName = z.output<typeof typedName>
export type TypedSuccession = z.output<typeof typedSuccession>

/** The calls of one kind of unit, below its path. */
function historyCalls(
  path: '/faculties' | '/departments' | '/programs',
  { show, edit, one: [en, ar] }: { show: PermissionKey; edit: PermissionKey; one: Label },
) {
  const response = z.object({ data: history })
  const name = { name: 'School of Trade', name_local: 'مدرسة التجارة', until_day: '2020-09-01' }
  return {
    read: call('GET', `${path}/{id}/past`, {
      permission: show,
      summary: [`Former names, origin and successors (${en})`, `الأسماء السابقة والأصل والمآل (${ar})`],
      response,
    }),
    addName: call('POST', `${path}/{id}/former-names`, {
      permission: edit,
      summary: [`Note a former name (${en})`, `إضافة اسم سابق (${ar})`],
      body: typedName,
      response,
      example: name,
    }),
    editName: call('PUT', `${path}/{id}/former-names/{name_id}`, {
      permission: edit,
      summary: [`Correct a former name (${en})`, `تصحيح اسم سابق (${ar})`],
      body: typedName,
      response,
      example: name,
    }),
    removeName: call('DELETE', `${path}/{id}/former-names/{name_id}`, {
      permission: edit,
      summary: [`Remove a former name (${en})`, `حذف اسم سابق (${ar})`],
      response,
    }),
    addSuccessors: call('POST', `${path}/{id}/successors`, {
      permission: edit,
      summary: [`Note successors (${en})`, `تسجيل المآل (${ar})`],
      body: typedSuccession,
      response,
      example: { unit_ids: [2], on_day: '2020-09-01', kind: 'split_off' },
    }),
    removeSuccessor: call('DELETE', `${path}/{id}/successors/{succession_id}`, {
      permission: edit,
      summary: [`Take back a successor (${en})`, `إلغاء المآل (${ar})`],
      response,
    }),
  } as const
}
export type UnitHistoryCalls = ReturnType<typeof historyCalls>

/** Names and successors of faculties, departments and programs. */
export const UNIT_HISTORY: Readonly<Record<HistoryUnit, UnitHistoryCalls>> = {
  faculty: historyCalls('/faculties', { show: 'show_faculty', edit: 'edit_faculty', one: ['faculty', 'كلية'] }),
  department: historyCalls('/departments', {
    show: 'show_department',
    edit: 'edit_department',
    one: ['department', 'قسم'],
  }),
  program: historyCalls('/programs', { show: 'show_program', edit: 'edit_program', one: ['program', 'برنامج'] }),
}
