/** The certificate of all trainings that a student has done: issued among the papers of the student, or on the way of certificates. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { preparePapers, type PreparedPaper } from '#kit/server/papers/papers.ts'
import { signedLines, type SignedLine } from '#kit/server/papers/signed.ts'
import { sql } from 'kysely'
import { ENDS, STARTS } from './facts.server.ts'
import { trainingsDone } from './paper.contract.ts'
import { TRAINING_WORDS } from './words.contract.ts'

interface Names {
  readonly name: string
  readonly name_local: string
}
interface Done {
  readonly student: Names & { readonly code: string }
  readonly faculty: Names
  readonly program: Names
  readonly trainings: readonly {
    readonly training: Names | null
    readonly organisation: Names
    readonly starts_on: string
    readonly ends_on: string
    readonly weeks: number
    readonly score: number | null
  }[]
}
const named = (row: string) =>
  sql.raw(`json_build_object('name', ${row}.name, 'name_local', coalesce(${row}.name_local, ${row}.name))`)
async function doneBy(ctx: Ctx, id: number): Promise<Done> {
  const { rows } =
    await sql<Done>`select json_build_object('name', s.name, 'name_local', coalesce(s.name_local, s.name), 'code', s.code) as student,
      ${named('f')} as faculty, ${named('p')} as program,
      coalesce((select json_agg(json_build_object('training', case when y.id is not null then ${named('y')} end,
          'organisation', case when g.id is not null then ${named('g')} else json_build_object('name', t.own_organisation, 'name_local', t.own_organisation) end,
          'starts_on', ${STARTS}, 'ends_on', ${ENDS}, 'weeks', t.weeks, 'score', t.score) order by ${STARTS}, t.id)
        from students_trainings t left join trainings y on y.id = t.training_id
          left join training_organisations g on g.id = coalesce(y.organisation_id, t.organisation_id)
        where t.student_id = s.id and t.status = 'approved' and t.removed_at is null), '[]') as trainings
    from students s join faculties f on f.id = s.faculty_id join programs p on p.id = s.program_id
    where s.id = ${id} and s.removed_at is null and ${scopeCondition(ctx, ['issue_paper'], studentReach(ctx, 's'))}`.execute(
      ctx.db,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

async function prepareDone(
  ctx: Ctx,
  id: number,
  lang: PaperLanguage,
  signed: readonly SignedLine[],
): Promise<PreparedPaper<'trainings' | 'weeks'>> {
  const of = await doneBy(ctx, id)
  if (!of.trainings.length) throw refuse(409, 'training_none_done')
  const say = (word: keyof typeof TRAINING_WORDS) => inLanguage(TRAINING_WORDS[word], lang)
  const pick = (names: Names) => inLanguage([names.name, names.name_local], lang)
  const weeks = of.trainings.reduce((sum, one) => sum + one.weeks, 0)
  const head = await universityHead(ctx)
  const { lines, files } = signedLines(signed, lang)
  return {
    holder: { name: of.student.name, name_local: of.student.name_local },
    facts: { trainings: String(of.trainings.length), weeks: String(weeks) },
    compose: (proof, issued) => ({
      template: 'training',
      created: issued.at,
      files,
      data: {
        lang,
        title: inLanguage(trainingsDone.kinds.trainings_done.label, lang),
        serial: proof.serial,
        university: { ...head, unit: of.faculty.name, unit_local: of.faculty.name_local },
        text: say('done'),
        facts: [
          { label: say('student'), value: pick(of.student) },
          { label: say('code'), value: of.student.code },
          { label: say('program'), value: pick(of.program) },
          { label: say('weeks'), value: String(weeks) },
          { label: say('issued'), value: issued.on },
        ],
        columns: (['training', 'organisation', 'from', 'until', 'weeks', 'score'] as const).map(say),
        rows: of.trainings.map((one) => [
          one.training ? pick(one.training) : '–',
          pick(one.organisation),
          one.starts_on,
          one.ends_on,
          String(one.weeks),
          one.score === null ? '–' : String(one.score),
        ]),
        signed: lines,
        signatures: signed.length ? [] : [say('supervisor'), say('dean')],
        proof: { ...proof, caption: say('verify') },
      },
    }),
  }
}

preparePapers(trainingsDone, { trainings_done: prepareDone })
