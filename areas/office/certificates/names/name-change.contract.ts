import { z } from 'zod'
import { ARABIC_PARTS, LATIN_PARTS } from '#areas/people/people/names/name-fields.contract.ts'
import { call, f, id, inputSchema, request } from '#kit/contract/index.ts'
import { workflow } from '#kit/contract/workflow.ts'
import { checkNameStands, PROOF_KINDS, type NameChangeFacts } from './name-change.rules.ts'

export const NAME_GROUNDS = [
  { value: 'registry', label: ['Correction in the civil registry', 'تصحيح قيد بالسجل المدني'] },
  { value: 'court', label: ['Court decision', 'حكم قضائي'] },
  { value: 'marriage', label: ['Marriage or divorce', 'زواج أو طلاق'] },
  { value: 'nationality', label: ['New nationality', 'تغيير الجنسية'] },
] as const

const told = { notice: 'kit.notice_request' } as const
/** Asked for with a proof; whoever decides looks at the proof. What was accepted is changed again by another change. */
export const nameChangeFlow = workflow<NameChangeFacts>()({
  name: 'nameChange',
  one: ['Change of name', 'تغيير اسم'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      call: ['POST', '/name-changes/accept/{id}'],
      permission: 'decide_nameChange',
      from: { requested: 'accepted' },
      needs: checkNameStands,
      consequence: [
        'The record and the account bear the new name from now on. Papers that were issued stay; certificates that are being prepared or signed are made again.',
        'يحمل السجل والحساب الاسم الجديد من الآن. وتبقى الوثائق الصادرة، ويُعاد إعداد الشهادات الجاري إعدادها أو توقيعها.',
      ],
      ...told,
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', '/name-changes/reject/{id}'],
      permission: 'decide_nameChange',
      from: { requested: 'rejected' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      call: ['POST', '/name-changes/cancel/{id}'],
      permission: 'add_nameChange',
      from: { requested: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
  },
  bulk: '/name-changes/bulk/{action}',
  history: { path: '/name-changes/steps/{id}', permission: 'show_nameChange' },
})

const latin = { person: true, max: 80, createOnly: true, detailOnly: true } as const
const part = (field: { readonly label: readonly [string, string] }) => f.englishText(field.label, latin)
const partLocal = (field: { readonly label: readonly [string, string] }) => f.localText(field.label, latin)

/** Changes of legal names that people ask for. */
export const nameChange = request('nameChange', {
  path: '/name-changes',
  one: ['Change of name', 'تغيير اسم'],
  many: ['Changes of names', 'تغيير الأسماء'],
  adding: ['Ask for a change of name', 'طلب تغيير الاسم'],
  flow: nameChangeFlow as never,
  menu: { group: 'services', order: 14, icon: 'id', subject: 'certificates' },
  fields: {
    new_name: f.text(['New name in English', 'الاسم الجديد بالإنجليزية'], { readOnly: true, max: 200 }),
    new_name_local: f.text(['New name in Arabic', 'الاسم الجديد بالعربية'], { readOnly: true, max: 200 }),
    old_name: f.text(['Name before, in English', 'الاسم قبل التغيير بالإنجليزية'], { readOnly: true, max: 200 }),
    old_name_local: f.text(['Name before, in Arabic', 'الاسم قبل التغيير بالعربية'], { readOnly: true, max: 200 }),
    given_name_local: f.localText(ARABIC_PARTS.given_name_local.label, { ...latin, required: true }),
    father_name_local: partLocal(ARABIC_PARTS.father_name_local),
    grandfather_name_local: partLocal(ARABIC_PARTS.grandfather_name_local),
    family_name_local: partLocal(ARABIC_PARTS.family_name_local),
    given_name: f.englishText(LATIN_PARTS.given_name.label, { ...latin, required: true }),
    father_name: part(LATIN_PARTS.father_name),
    grandfather_name: part(LATIN_PARTS.grandfather_name),
    family_name: part(LATIN_PARTS.family_name),
    ground: f.choice(['Why it has changed', 'سبب تغيير الاسم'], NAME_GROUNDS, { required: true, createOnly: true }),
    proof_id: f.file(['Proof', 'المستند المثبت'], {
      required: true,
      createOnly: true,
      detailOnly: true,
      noExport: true,
      accept: PROOF_KINDS,
      help: [
        'The new identity card or passport, the court decision or the entry of the registry',
        'بطاقة الهوية أو جواز السفر الجديد أو الحكم أو القيد',
      ],
    }),
  },
})

export const nameChangeCalls = {
  changeName: call('POST', '/certificates/changeName/{id}', {
    permission: 'add_nameChange',
    summary: [
      'Ask for a change of the name on the record of a student, with the proof',
      'طلب تغيير اسم طالب في سجله مع المستند المثبت',
    ],
    /** What the resource takes, without the student. */
    body: (inputSchema(nameChange, 'create') as z.ZodObject).omit({ student_id: true }),
    response: z.object({ data: z.object({ id, version: z.int(), status: z.string() }) }),
  }),
  formerPapers: call('GET', '/name-changes/{id}/papers', {
    permission: nameChange.permissions.show!,
    summary: ['Papers that bear the name of before', 'الوثائق الصادرة بالاسم السابق'],
    response: z.object({
      data: z.array(
        z.object({
          id,
          serial: z.string(),
          title: z.string(),
          title_local: z.string(),
          lang: z.enum(['ar', 'en']),
          issued_at: z.string(),
        }),
      ),
    }),
  }),
}
