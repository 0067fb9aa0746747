/** Papers of a training: the letter to its organisation, and the certificate that it was done. */
import { fileURLToPath } from 'node:url'
import type { Tx } from '#db/connect.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { revokePapers, servePapers, type PreparedPaper } from '#kit/server/papers/papers.ts'
import type { Moved } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { ENDS, STARTS, WEEKS } from './facts.server.ts'
import { trainingPapers } from './paper.contract.ts'
import './done.server.ts'
import { reachedTraining } from './shown.server.ts'
import { TRAINING_WORDS } from './words.contract.ts'

registerTemplate('training', fileURLToPath(new URL('./training.typ', import.meta.url)))

interface Names {
  readonly name: string
  readonly name_local: string
}
interface Printed {
  readonly status: string
  readonly starts_on: string
  readonly ends_on: string
  readonly weeks: number
  readonly score: number | null
  readonly training: Names | null
  readonly organisation: Names
  readonly contact: string | null
  readonly student: Names & { readonly code: string }
  readonly faculty: Names
  readonly program: Names
}
const named = (row: string) =>
  sql.raw(`json_build_object('name', ${row}.name, 'name_local', coalesce(${row}.name_local, ${row}.name))`)
async function printedOf(ctx: Ctx, id: number): Promise<Printed> {
  const { rows } =
    await sql<Printed>`select t.status, ${STARTS}::text as starts_on, ${ENDS}::text as ends_on, coalesce(t.weeks, ${WEEKS}) as weeks, t.score,
      case when y.id is not null then ${named('y')} end as training,
      case when g.id is not null then ${named('g')} else json_build_object('name', t.own_organisation, 'name_local', t.own_organisation) end as organisation,
      coalesce(g.contact_name, t.own_contact) as contact,
      json_build_object('name', s.name, 'name_local', coalesce(s.name_local, s.name), 'code', s.code) as student,
      ${named('f')} as faculty, ${named('p')} as program
    from students_trainings t join students s on s.id = t.student_id join faculties f on f.id = s.faculty_id join programs p on p.id = s.program_id
      left join trainings y on y.id = t.training_id left join training_organisations g on g.id = coalesce(y.organisation_id, t.organisation_id)
    where t.id = ${id} and t.removed_at is null and ${reachedTraining(ctx, ['show_studentTraining'])}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

type Kind = keyof typeof trainingPapers.kinds
async function prepare(ctx: Ctx, id: number, lang: PaperLanguage, kind: Kind): Promise<PreparedPaper<never>> {
  const of = await printedOf(ctx, id)
  const certificate = kind === 'training_certificate'
  if (certificate ? of.status !== 'approved' : !['accepted', 'approved'].includes(of.status))
    throw refuse(409, certificate ? 'training_paper_approved' : 'training_paper_accepted')
  const say = (word: keyof typeof TRAINING_WORDS) => inLanguage(TRAINING_WORDS[word], lang)
  const pick = (names: Names) => inLanguage([names.name, names.name_local], lang)
  const fact = (word: keyof typeof TRAINING_WORDS, value: string) => ({ label: say(word), value })
  const title = inLanguage(trainingPapers.kinds[kind].label, lang)
  const head = await universityHead(ctx)
  const score = certificate && of.score !== null ? String(of.score) : null
  return {
    holder: { name: of.student.name, name_local: of.student.name_local },
    facts: {
      ...(of.training && { training: of.training }),
      organisation: of.organisation,
      from: of.starts_on,
      until: of.ends_on,
      weeks: String(of.weeks),
      ...(score && { score }),
    },
    compose: (proof, issued) => ({
      template: 'training',
      created: issued.at,
      data: {
        lang,
        title,
        serial: proof.serial,
        university: { ...head, unit: of.faculty.name, unit_local: of.faculty.name_local },
        below: certificate ? null : [pick(of.organisation), of.contact].filter(Boolean).join(' · '),
        text: say(certificate ? 'certificate' : 'letter'),
        facts: [
          fact('student', pick(of.student)),
          fact('code', of.student.code),
          fact('program', pick(of.program)),
          ...(of.training ? [fact('training', pick(of.training))] : []),
          fact('organisation', pick(of.organisation)),
          fact('from', of.starts_on),
          fact('until', of.ends_on),
          fact('weeks', String(of.weeks)),
          ...(score ? [fact('score', score)] : []),
          fact('issued', issued.on),
        ],
        signatures: [say('supervisor'), say('dean')],
        proof: { ...proof, caption: say('verify') },
      },
    }),
  }
}

export const trainingPaperHandlers: readonly Handled[] = servePapers(trainingPapers, {
  table: 'students_trainings',
  scope: (ctx, access) => reachedTraining(ctx, [access].flat() as Parameters<typeof reachedTraining>[1]),
  kinds: {
    training_letter: (ctx, id, lang) => prepare(ctx, id, lang, 'training_letter'),
    training_certificate: (ctx, id, lang) => prepare(ctx, id, lang, 'training_certificate'),
  },
})

/** A place or an approval that is taken back takes its paper with it. */
export async function revokeTrainingPapers(ctx: Ctx, tx: Tx, moved: readonly Moved[]): Promise<void> {
  const gone = (
    kind: Kind,
    ids: readonly number[],
  ) => sql`select p.id from papers p where p.subject = ${trainingPapers.subject}
      and p.kind = ${kind} and p.revoked_at is null and p.subject_id = any(${[...ids]}::int[])`
  const PLACED = ['accepted', 'approved']
  const left = moved.filter(({ from, to }) => PLACED.includes(from) && !PLACED.includes(to)).map(({ id }) => id)
  const unapproved = moved.filter(({ from }) => from === 'approved').map(({ id }) => id)
  if (!left.length && !unapproved.length) return
  const { rows } = await sql<{
    id: number
  }>`${gone('training_letter', left)} union ${gone('training_certificate', unapproved)}`.execute(tx)
  if (rows.length)
    await revokePapers(
      ctx,
      tx,
      rows.map(({ id }) => id),
      moved.find(({ reason }) => reason)?.reason ?? 'The training was taken back',
    )
}
