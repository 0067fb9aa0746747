/** The certificate of a completed internship year: what was done where and when, with the mark of each. */
import { fileURLToPath } from 'node:url'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import {
  issuePaper,
  paperFile,
  preparePapers,
  revokePapers,
  type Names,
  type PreparedPaper,
} from '#kit/server/papers/papers.ts'
import { sql } from 'kysely'
import { internshipPaperCalls as calls, internshipPapers } from './certificate.contract.ts'

registerTemplate('internship', fileURLToPath(new URL('./internship.typ', import.meta.url)))

const WORDS = {
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  name: ['Name', 'الاسم'],
  code: ['Student code', 'كود الطالب'],
  program: ['Program', 'البرنامج'],
  year: ['Internship year', 'سنة الامتياز'],
  completed: ['Completed on', 'تاريخ الإتمام'],
  text: [
    'The faculty certifies that the internship year was completed with these trainings:',
    'تشهد الكلية بإتمام سنة الامتياز بالتدريبات الآتية:',
  ],
  training: ['Training', 'التدريب'],
  hospital: ['Hospital', 'المستشفى'],
  from: ['From', 'من'],
  until: ['Until', 'حتى'],
  mark: ['Mark', 'الدرجة'],
  registrar: ['Registrar', 'مسجل الكلية'],
  dean: ['Dean', 'عميد الكلية'],
  stamp: ['Stamp', 'الختم'],
} as const satisfies Record<string, Label>

interface Done extends Names {
  readonly code: string
  readonly faculty: Names
  readonly program: Names
  readonly year: Names
  readonly completed_on: string
  readonly rotations: readonly {
    training: Names
    hospital: Names
    starts_on: string
    ends_on: string
    days: number
    mark: number | null
    max_mark: number | null
  }[]
}
const named = (alias: string) =>
  sql.raw(`json_build_object('name', ${alias}.name, 'name_local', coalesce(${alias}.name_local, ${alias}.name))`)

/** The year that a student completed last. */
async function doneBy(ctx: Ctx, id: number): Promise<Done | undefined> {
  const { rows } = await sql<Done>`
    select s.name, coalesce(s.name_local, s.name) as name_local, s.code, ${named('f')} as faculty, ${named('p')} as program, ${named('y')} as year,
      i.completed_on::text, coalesce((select json_agg(json_build_object('training', ${named('x')}, 'hospital', ${named('h')}, 'starts_on', r.starts_on,
          'ends_on', coalesce(r.interrupted_on, r.ends_on), 'days', coalesce(r.interrupted_on, r.ends_on) - r.starts_on + 1, 'mark', r.mark, 'max_mark', r.max_mark)
          order by r.starts_on, r.id)
        from emtyaz_rotations r join emtyaz_trainings x on x.id = r.training_id join emtyaz_hospitals h on h.id = x.hospital_id
        where r.year_id = i.year_id and r.student_id = i.student_id and r.removed_at is null and r.status = 'accepted'
          and r.outcome in ('passed', 'interrupted')), '[]') as rotations
    from students s join emtyaz_interns i on i.student_id = s.id and i.removed_at is null and i.completed_on is not null
      join emtyaz_years y on y.id = i.year_id join faculties f on f.id = s.faculty_id join programs p on p.id = s.program_id
    where s.id = ${id} and s.removed_at is null and ${scopeCondition(ctx, 'issue_paper', studentReach(ctx, 's'))}
    order by i.completed_on desc, i.id desc limit 1`.execute(ctx.db)
  return rows[0]
}

/** @throws {Refusal} 409 `emtyaz_not_completed` */
async function prepare(ctx: Ctx, id: number, lang: PaperLanguage): Promise<PreparedPaper> {
  const done = await doneBy(ctx, id)
  if (!done) throw refuse(409, 'emtyaz_not_completed')
  const say = (word: keyof typeof WORDS): string => inLanguage(WORDS[word], lang)
  const fact = (word: keyof typeof WORDS, value: string | null) => ({ label: say(word), value: value ?? '–' })
  const head = await universityHead(ctx)
  const weeks = Math.floor(done.rotations.reduce((sum, one) => sum + one.days, 0) / 7)
  return {
    holder: { name: done.name, name_local: done.name_local },
    facts: { year: done.year, completed: done.completed_on, weeks: String(weeks) },
    compose: (proof, issued) => ({
      template: 'internship',
      created: issued.at,
      data: {
        lang,
        title: inLanguage(internshipPapers.kinds.internship.label, lang),
        serial: proof.serial,
        university: { ...head, unit: done.faculty.name, unit_local: done.faculty.name_local },
        facts: [
          fact('name', nameIn(done, lang)),
          fact('code', done.code),
          fact('program', nameIn(done.program, lang)),
          fact('year', nameIn(done.year, lang)),
          fact('completed', done.completed_on),
          fact('issued', issued.on),
        ],
        text: say('text'),
        columns: (['training', 'hospital', 'from', 'until', 'mark'] as const).map(say),
        rows: done.rotations.map((one) => [
          nameIn(one.training, lang),
          nameIn(one.hospital, lang),
          one.starts_on,
          one.ends_on,
          one.mark === null || one.max_mark === null ? '–' : `${one.mark} / ${one.max_mark}`,
        ]),
        signatures: (['registrar', 'stamp', 'dean'] as const).map(say),
        proof: { ...proof, caption: say('verify') },
      },
    }),
  }
}
preparePapers(internshipPapers, { internship: prepare })

/** A year that is opened again has no certificate: those that were issued of it are revoked. */
export async function revokeCertificates(ctx: Ctx, tx: Tx, student_id: number, reason: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from papers
    where subject = 'student' and subject_id = ${student_id} and kind = 'internship' and revoked_at is null order by id`.execute(
    tx,
  )
  return revokePapers(
    ctx,
    tx,
    rows.map(({ id }) => id),
    reason,
  )
}

async function studentOf(db: Db, ctx: Ctx, id: number): Promise<number> {
  const { rows } = await sql<{
    student_id: number
  }>`select t.student_id from emtyaz_interns t join students s on s.id = t.student_id
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'issue_paper', studentReach(ctx, 's'))}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].student_id
}
export const internshipPaperHandlers: readonly Handled[] = [
  handle(calls.certificate, async (ctx, { params: { id }, body: { lang } }) => {
    const student_id = await studentOf(ctx.db, ctx, id)
    return paperFile(
      ctx,
      internshipPapers,
      student_id,
      await issuePaper(ctx, internshipPapers, {
        id: student_id,
        kind: 'internship',
        lang,
        prepared: await prepare(ctx, student_id, lang),
      }),
    )
  }),
]
