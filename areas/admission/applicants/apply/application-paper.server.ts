/** The paper of an application that was sent in, for whoever has its key. */
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { firstRow } from '#db/rows.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import { applyCalls as calls } from './apply.contract.ts'
import { openWithKey } from './key.server.ts'

registerTemplate('application', fileURLToPath(new URL('./application.typ', import.meta.url)))

const W = {
  title: ['Application', 'طلب التقديم'],
  scan: ['Number of the application', 'رقم الطلب'],
  number: ['Number', 'الرقم'],
  name: ['Applicant', 'المتقدم'],
  email: ['E-mail', 'البريد الإلكتروني'],
  admission: ['Admission', 'فترة القبول'],
  status: ['Status', 'الحالة'],
  sent: ['Sent in', 'تاريخ الإرسال'],
  wishes: ['Wishes', 'الرغبات'],
  place: ['No.', 'م'],
  program: ['Program', 'البرنامج'],
  faculty: ['Faculty', 'الكلية'],
  documents: ['Documents', 'المستندات'],
  document: ['Document', 'المستند'],
  file: ['File', 'الملف'],
  next: ['What comes next', 'الخطوات التالية'],
  next_text: [
    'The university looks at the application and writes to the address above. The link in its mails opens the application.',
    'تراجع الجامعة الطلب وتراسل المتقدم على البريد أعلاه. يفتح الرابط الوارد في رسائلها الطلب.',
  ],
} as const satisfies Record<string, Label>

type Named = { readonly name: string | null; readonly name_local?: string | null }
interface Shown {
  readonly name: string | null
  readonly name_local: string | null
  readonly sent: string | null
  readonly wishes: readonly { readonly program: Named; readonly faculty: Named }[]
  readonly documents: readonly { readonly kind: Named; readonly file: string }[]
}

async function paper(ctx: Ctx, who: { id: number; key: string }): Promise<FileResult> {
  const { opened } = await openWithKey(ctx, who)
  if (opened.submitted_at === null) throw refuse(409, 'application_not_sent')
  const { rows } = await sql<Shown>`select t.name, t.name_local,
      to_char(t.submitted_at at time zone university_zone(), 'YYYY-MM-DD HH24:MI') as sent,
      coalesce((select json_agg(json_build_object('program', json_build_object('name', p.name, 'name_local', p.name_local),
          'faculty', json_build_object('name', f.name, 'name_local', f.name_local)) order by w.position)
        from applicant_preferences w join programs p on p.id = w.program_id join faculties f on f.id = p.faculty_id
        where w.applicant_id = t.id), '[]') as wishes,
      coalesce((select json_agg(json_build_object('kind', json_build_object('name', k.name, 'name_local', k.name_local), 'file', e.name) order by k.id)
        from applicant_documents d join document_kinds k on k.id = d.document_kind_id join files e on e.id = d.file_id
        where d.applicant_id = t.id), '[]') as documents
    from applicants t where t.id = ${opened.id}`.execute(ctx.db)
  const shown = firstRow(rows)
  const lang = ctx.lang === 'ar' ? 'ar' : 'en'
  const say = (label: Label): string => inLanguage(label, lang)
  const named = (one: Named): string =>
    (lang === 'ar' ? (one.name_local ?? one.name) : (one.name ?? one.name_local)) ?? ''
  const status = APPLICANT_STATUSES.find(({ value }) => value === opened.status)
  const content = await renderPaper({
    template: 'application',
    data: {
      title: say(W.title),
      lang,
      university: await universityHead(ctx),
      serial: opened.code,
      qr: 'qr.svg',
      caption: say(W.scan),
      facts: [
        { label: say(W.number), value: opened.code },
        { label: say(W.name), value: named(shown) },
        { label: say(W.email), value: opened.email },
        { label: say(W.admission), value: named(opened.admission) },
        { label: say(W.status), value: status ? say(status.label) : opened.status },
        { label: say(W.sent), value: shown.sent ?? '' },
      ].filter(({ value }) => value !== ''),
      wishes: shown.wishes.length
        ? {
            title: say(W.wishes),
            columns: [
              { label: say(W.place), align: 'center', weight: 1 },
              { label: say(W.program), align: 'start', weight: 6 },
              { label: say(W.faculty), align: 'start', weight: 5 },
            ],
            rows: shown.wishes.map((one, i) => [String(i + 1), named(one.program), named(one.faculty)]),
          }
        : null,
      documents: shown.documents.length
        ? {
            title: say(W.documents),
            columns: [
              { label: say(W.document), align: 'start', weight: 6 },
              { label: say(W.file), align: 'start', weight: 6 },
            ],
            rows: shown.documents.map((one) => [named(one.kind), one.file]),
          }
        : null,
      next: { title: say(W.next), lines: [say(W.next_text)] },
    },
    files: { 'qr.svg': qrImage(opened.code) },
    created: new Date(),
  })
  return { name: 'Application.pdf', type: 'pdf', content }
}

export const applicationPaperHandlers: readonly Handled[] = [
  handle(calls.applicationPaper, (ctx, { params }) => paper(ctx, params)),
]
