import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, f, fact, id, ref, resource, rowSchema, safeText } from '#kit/contract/index.ts'

export const FAMILY_STATES = [
  { value: 'active', label: ['In force', 'سارٍ'], tone: 'done' },
  { value: 'ended', label: ['Ended', 'منتهٍ'], tone: 'frozen' },
] as const

/** Which child of the family a student is: by siblings that are proven; by those of the same telephone too. */
export const familyFact = fact({ name: 'family' })
export const householdFact = fact({ name: 'household' })

/**
 * Students of one family, where papers prove it and the national ids of parents do not tell it. One that has ended stays as it was; who
 * was of it may be of another.
 */
export const family = resource({
  name: 'family',
  path: '/families',
  table: 'families',
  one: ['Family', 'أسرة'],
  many: ['Families of students', 'أسر الطلاب'],
  adding: ['Add family', 'إضافة أسرة'],
  editing: ['Edit family', 'تعديل أسرة'],
  permissions: { ...crud('family'), import: null },
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    name: f.text(['Name', 'الاسم'], { required: true, max: 200, person: true }),
    members: f.rows(
      ['Students', 'الطلاب'],
      { student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true }) },
      {
        table: 'family_members',
        parent: 'family_id',
        by: '(select x.code from students x where x.id = c.student_id)',
        required: true,
        max: 30,
      },
    ),
    proof_id: f.file(['Proof', 'المستند المثبت'], {
      required: true,
      accept: ['pdf', 'png', 'jpg'],
      detailOnly: true,
      noExport: true,
      help: [
        'Birth certificates, or the family register: what shows that they are of one family.',
        'شهادات الميلاد أو القيد العائلي: ما يثبت أنهم من أسرة واحدة.',
      ],
    }),
    notes: f.longText(['Notes', 'ملاحظات'], { max: 1000, detailOnly: true }),
    status: f.choice(['State', 'الحالة'], FAMILY_STATES, { readOnly: true }),
    made_by_id: f.lookup(['Made by', 'أنشأها'], 'user', { readOnly: true }),
    made_at: f.instant(['Made', 'أُنشئت'], { readOnly: true }),
    ended_on: f.date(['Ended on', 'انتهت في'], { readOnly: true, detailOnly: true }),
    ended_by_id: f.lookup(['Ended by', 'أنهاها'], 'user', { readOnly: true, detailOnly: true }),
    ended_reason: f.text(['Why it ended', 'سبب الانتهاء'], { readOnly: true, detailOnly: true }),
  },
  list: {
    columns: ['name', 'members', 'status', 'made_by_id', 'made_at'],
    search: ['name'],
    sort: ['name', 'status', 'made_at'],
    filters: ['status'],
    order: ['name', 'asc'],
  },
  exportName: 'Families',
  softDelete: true,
  screens: {
    list: '/families',
    show: '/families/:id',
    add: '/families/add',
    edit: '/families/edit/:id',
  },
  menu: { group: 'finance', order: 111, icon: 'users-group', block: 'invoices', subject: 'scholarships' },
  plain: false,
})

export const familyCalls = {
  end: call('POST', '/families/{id}/end', {
    permission: 'edit_family',
    summary: ['A family counts no longer', 'إنهاء أسرة'],
    body: z.strictObject({ reason: safeText(500, 3), version: z.int().optional() }),
    response: z.object({ data: rowSchema(family, 'detail') }),
    example: { reason: 'The papers were of another family.' },
  }),
  ofStudent: call('GET', '/students/{id}/siblings', {
    permission: ['access_family', 'grant_scholarship'],
    summary: ['Siblings of a student at the university', 'إخوة الطالب بالجامعة'],
    response: z.object({
      data: z.object({
        /** Which child of the family, by siblings that are proven; by those of the same telephone too. */
        child: z.int().nullable(),
        likely: z.int().nullable(),
        siblings: z.array(
          ref.extend({
            /** By the national id of a parent, by a family that a person made, or by the telephone alone. */
            by: z.enum(['parent', 'family', 'telephone']),
            family_id: id.nullable(),
            studies: z.boolean(),
          }),
        ),
      }),
    }),
  }),
}
