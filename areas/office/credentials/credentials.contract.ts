import { z } from 'zod'
import { coursesFromFile } from '#areas/enrolment/transfers/outlets.contract.ts'
import { papersAsData } from '#areas/records/students/outlets.contract.ts'
import { studentPapers } from '#areas/records/students/transcript/transcript.contract.ts'
import { area, call, idParam } from '#kit/contract/index.ts'
import { CREDENTIAL_NOTES, CREDENTIAL_REASONS } from './verify/values.rules.ts'

const one = z.object({ id: idParam, paper: idParam })
/** A code with its texts; `data` is for the other languages to fill their own. */
const said = z.object({ code: z.string(), en: z.string(), ar: z.string(), data: z.record(z.string(), z.string()) })
const read = z.object({
  kind: z.enum(['credential', 'elmo']),
  valid: z.boolean(),
  reasons: z.array(said),
  notes: z.array(said),
  /** As it calls itself. */
  issuer: z.string().nullable(),
  /** By which its key is known: what it calls itself anybody may. */
  issuer_id: z.string().nullable(),
  /** Of a valid one. */
  courses: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      name_local: z.string().nullable(),
      credit_hours: z.number(),
      grade: z.string().nullable(),
      date: z.string().nullable(),
    }),
  ),
})
export type ReadForeign = z.output<typeof read>

export const credentialCalls = {
  paperCredential: call('POST', '/students/{id}/papers/{paper}/credential', {
    permission: studentPapers.permissions.open,
    summary: ['Take an issued paper as a signed credential', 'تنزيل وثيقة صادرة كاعتماد رقمي موقع'],
    params: one,
    file: { name: 'Credential.json', type: 'json' },
    traced: 'student',
  }),
  paperElmo: call('POST', '/students/{id}/papers/{paper}/elmo', {
    permission: studentPapers.permissions.open,
    summary: ['Take an issued transcript as signed ELMO', 'تنزيل بيان درجات صادر بصيغة ELMO موقعًا'],
    params: one,
    file: { name: 'Transcript.xml', type: 'xml' },
    traced: 'student',
  }),
  readForeign: call('POST', '/credentials/read', {
    permission: 'edit_equivalence',
    summary: [
      'Verify a credential or ELMO file of another university, and read its courses',
      'التحقق من اعتماد أو ملف ELMO من جامعة أخرى وقراءة مقرراته',
    ],
    upload: { field: 'file', accept: ['txt', 'png', 'pdf'], called: 'JSON, JWT, ELMO (XML), PNG, PDF', maxMB: 4 },
    response: z.object({ data: read }),
    reads: true,
  }),
}

/** The academic record as data that others verify by themselves, and that of others. */
export const credentialsArea = area({
  name: 'credentials',
  label: ['Digital credentials', 'الاعتمادات الرقمية'],
  calls: credentialCalls,
  fills: [papersAsData, coursesFromFile],
  errors: {
    credential_kind: ['This kind of paper is not given out as data.', 'لا يصدر هذا النوع من الوثائق في صورة بيانات.'],
    elmo_kind: ['Only a transcript is given out as ELMO.', 'لا يصدر بصيغة ELMO إلا بيان الدرجات.'],
    elmo_disclosure: [
      'An ELMO file shows every course. The holder has to let others see everything first.',
      'يُظهر ملف ELMO كل المقررات. على صاحب الوثيقة أن يسمح للغير برؤية كل شيء أولًا.',
    ],
    ...CREDENTIAL_REASONS,
    ...CREDENTIAL_NOTES,
  },
})
