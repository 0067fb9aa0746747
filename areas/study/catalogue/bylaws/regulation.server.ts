/** A bylaw on paper: everything it rules, its programs and their plans, in Arabic or in English. */
import { fileURLToPath } from 'node:url'
import { controlStatusTexts } from '#areas/common/academics/control.rules.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { programPlan, type ProgramPlan } from '../programs/read-plan.server.ts'
import { programs } from '../programs/program.server.ts'
import { coursesIn } from '../requisites.rules.ts'
import {
  CARRIED_KINDS,
  GRACE_PURPOSES,
  PLAN_KINDS,
  PROGRAM_TYPES,
  REPEAT_RULES,
  RESEARCH_STAGES,
  SPECIAL_GRADES,
  STUDY_LEVELS,
  WARNING_COUNTS,
  WARNING_TYPES,
} from '../words.contract.ts'
import type { BylawSettingsAnswer } from './settings.contract.ts'
import { readSettings } from './read-settings.server.ts'
import { type RegulationPart, type Chapter, speaker, type Speaker } from './regulation-words.server.ts'

function gradesChapter(s: BylawSettingsAnswer, { say, name, number, flag, fact, table, lang }: Speaker): Chapter {
  return {
    title: say('grades'),
    parts: [
      { facts: [fact('final_exam', number(s.min_percentage_final_exam)), fact('places', number(s.total_places))] },
      ...s.grade_types.map((type) => ({
        title: name(type),
        ...table(
          [
            ['letter', 'center'],
            ['name', 'start'],
            ['from_percent', 'center'],
            ['to_percent', 'center'],
            ['points', 'center'],
            ['success', 'center'],
          ],
          type.ranges.map((r) => [
            r.letter,
            name(r),
            number(r.from_percent),
            number(r.to_percent),
            Number(r.points).toFixed(2),
            flag(r.success),
          ]),
        ),
      })),
      {
        title: say('special'),
        ...table(
          [
            ['status', 'start'],
            ['letter', 'center'],
            ['name', 'start'],
            ['points', 'center'],
            ['in_gpa', 'center'],
            ['in_attempted', 'center'],
          ],
          s.special_grades.map((g) => [
            inLanguage(SPECIAL_GRADES[g.status], lang),
            g.letter,
            name(g),
            Number(g.points).toFixed(2),
            flag(g.counts_in_gpa),
            flag(g.counts_in_attempted_hours),
          ]),
        ),
      },
      ...(s.conversions.length
        ? [
            {
              title: say('conversions'),
              ...table(
                [
                  ['from_share', 'center'],
                  ['to_share', 'center'],
                  ['from_points', 'center'],
                  ['to_points', 'center'],
                ],
                s.conversions.map((line) => [
                  number(line.from_share),
                  number(line.to_share),
                  Number(line.from_points).toFixed(2),
                  Number(line.to_points).toFixed(2),
                ]),
              ),
            },
          ]
        : []),
    ],
  }
}

function creditHourChapters(s: BylawSettingsAnswer, speak: Speaker): Chapter[] {
  const { say, name, number, flag, choice, fact, table } = speak
  return [
    {
      title: say('levels'),
      parts: [
        table(
          [
            ['level', 'center'],
            ['name', 'start'],
            ['opens', 'center'],
          ],
          s.levels.map((l) => [String(l.level), name(l), String(l.passed_hours)]),
        ),
        {
          title: say('classification'),
          ...table(
            [
              ['name', 'start'],
              ['from_gpa', 'center'],
              ['to_gpa', 'center'],
            ],
            s.gpa_ranges.map((r) => [name(r), Number(r.from_gpa).toFixed(2), Number(r.to_gpa).toFixed(2)]),
          ),
        },
        {
          title: say('load'),
          ...table(
            [
              ['from_gpa', 'center'],
              ['to_gpa', 'center'],
              ['hours', 'center'],
              ['summer', 'center'],
              ['courses', 'center'],
            ],
            s.load_ranges.map((r) => [
              Number(r.from_gpa).toFixed(2),
              Number(r.to_gpa).toFixed(2),
              String(r.max_ch_value),
              String(r.max_summer_ch_value),
              String(r.max_courses),
            ]),
          ),
        },
      ],
    },
    s.max_warnings === 0
      ? { title: say('warnings'), text: say('no_warnings'), parts: [] }
      : {
          title: say('warnings'),
          parts: [
            {
              facts: [
                fact('warning_max', number(s.max_warnings)),
                fact('warning_gpa', Number(s.warning_gpa).toFixed(2)),
                fact('warning_type', choice(WARNING_TYPES, s.warning_type)),
                fact('warning_count', choice(WARNING_COUNTS, s.warning_count)),
                fact('warning_hours', number(s.warning_max_ch_value, 'by_load')),
                fact('warning_summer', flag(s.warning_in_summer)),
              ],
            },
          ],
        },
    {
      title: say('repeats'),
      parts: [
        {
          facts: [
            fact('repeat_rule', choice(REPEAT_RULES, s.repeat_rule)),
            fact('repeat_points', number(s.repeat_max_points)),
            fact('repeat_times', number(s.max_repeats)),
            fact('improve_points', number(s.improve_max_points)),
            fact('improvements', number(s.max_improvements)),
            fact('improve_letters', s.improve_letters.join(', ') || say('all')),
            fact('withdrawn_charge', number(s.withdrawal_charge)),
            fact('excused_charge', number(s.excuse_charge)),
          ],
        },
        ...(s.withdrawal_steps.length
          ? [
              {
                title: say('withdrawal_steps'),
                ...table(
                  [
                    ['through_day', 'center'],
                    ['charged', 'center'],
                    ['summer_term', 'center'],
                  ],
                  s.withdrawal_steps.map((step) => [number(step.days), number(step.percent), flag(step.summer)]),
                ),
              },
            ]
          : []),
      ],
    },
    {
      title: say('graduation'),
      parts: [
        {
          facts: [
            fact('hours', number(s.graduation_hours)),
            fact('gpa', Number(s.graduation_gpa).toFixed(2)),
            fact('training', number(s.min_training_weeks)),
            fact('extra_hours', number(s.graduating_extra_hours)),
            fact('extra_courses', number(s.graduating_extra_courses)),
          ],
        },
      ],
    },
  ]
}

function marksChapters(s: BylawSettingsAnswer, speak: Speaker): Chapter[] {
  const { say, name, number, flag, choice, fact, table } = speak
  const honours = s.ratings.find((r) => r.code === s.honours_rating)
  return [
    {
      title: say('levels'),
      parts: [
        table(
          [
            ['level', 'center'],
            ['name', 'start'],
            ['chances', 'center'],
            ['counts', 'center'],
          ],
          s.levels.map((l) => [
            String(l.level),
            name(l),
            number(l.chances ?? null),
            flag(l.counts_for_graduation ?? true),
          ]),
        ),
        {
          title: say('ratings'),
          ...table(
            [
              ['letter', 'center'],
              ['name', 'start'],
              ['from_share', 'center'],
            ],
            s.ratings.map((r) => [r.code, name(r), number(r.from_share)]),
          ),
        },
      ],
    },
    {
      title: say('promotion'),
      parts: [
        {
          facts: [
            fact('pass_share', number(s.pass_share)),
            fact('max_carried', number(s.max_carried)),
            fact('carried_final', flag(s.carried_from_final_level)),
            fact('second_session', flag(s.second_session)),
            fact('capped', flag(s.later_sitting_capped)),
            fact('max_chances', number(s.max_chances)),
            fact('honours', honours ? name(honours) : say('no_honours')),
            fact('training', number(s.min_training_weeks)),
          ],
        },
        {
          title: say('exceptions'),
          ...table(
            [
              ['code', 'center'],
              ['course', 'start'],
              ['exception', 'start'],
            ],
            s.carried_courses.map((c) => [c.course?.code ?? '', name(c.course), choice(CARRIED_KINDS, c.kind)]),
          ),
        },
      ].filter((part) => !('rows' in part) || (part.rows?.length ?? 0) > 0),
    },
    Number(s.grace_per_course) === 0
      ? { title: say('grace'), text: say('no_grace'), parts: [] }
      : {
          title: say('grace'),
          parts: [
            {
              facts: [
                fact('grace_course', number(s.grace_per_course)),
                fact('grace_all', number(s.grace_in_all)),
                fact('grace_share', number(s.grace_share)),
                fact(
                  'grace_order',
                  s.grace_order.map((p) => choice(GRACE_PURPOSES, p)).join(speak.lang === 'ar' ? '، ' : ', '),
                ),
                fact('grace_shown', flag(s.grace_on_transcript)),
              ],
            },
          ],
        },
  ]
}

function seenChapter(s: BylawSettingsAnswer, { say, fact, lang }: Speaker): Chapter {
  const from = (status: keyof typeof controlStatusTexts | null): string =>
    status === null ? say('never') : controlStatusTexts[status][lang]
  const { marks, letter, points, gpa } = s.grades_visibility
  return {
    title: say('seen'),
    parts: [
      {
        facts: [
          fact('marks', from(marks)),
          fact('letter', from(letter)),
          fact('points', from(points)),
          fact('gpa_seen', from(gpa)),
        ],
      },
    ],
  }
}

function requirementsChapter(s: BylawSettingsAnswer, { say, name, table }: Speaker): Chapter[] {
  const parts = (['university', 'faculty'] as const).flatMap((type): RegulationPart[] =>
    s.requirements[type].length
      ? [
          {
            title: say(type === 'university' ? 'university' : 'faculty_list'),
            ...table(
              [
                ['code', 'center'],
                ['course', 'start'],
              ],
              s.requirements[type].map((c) => [c.code ?? '', name(c)]),
            ),
          },
        ]
      : [],
  )
  return parts.length ? [{ title: say('requirements'), parts }] : []
}

type Program = NonNullable<Awaited<ReturnType<typeof programs.find>>>

function programChapter(row: Program, stored: ProgramPlan, speak: Speaker): Chapter {
  const { say, name, number, flag, choice, fact, table } = speak
  const { plan, courses, pools } = stored
  const poolOf = new Map(pools.map((pool) => [pool.id, pool]))
  const codes = (ids: Iterable<number>) => [...ids].map((id) => courses.get(id)?.code ?? '').join(', ')
  const semesters = [...Map.groupBy(plan.courses, (c) => c.semester)].sort(([a], [b]) => a - b)
  const kindOf = (group: number) =>
    group > 0
      ? name(poolOf.get(group))
      : choice(PLAN_KINDS, group === 0 ? 'mandatory' : group === -1 ? 'university' : 'faculty')
  const degree = speak.lang === 'ar' ? row.degree_local : row.degree
  return {
    title: `${row.code} – ${name(row)}`,
    parts: [
      {
        facts: [
          ...(degree ? [fact('degree', degree)] : []),
          fact('study_level', choice(STUDY_LEVELS, row.study_level)),
          fact('program_type', choice(PROGRAM_TYPES, stored.program.program_type)),
          fact('hours', number(row.min_credit_hours ?? 0)),
          fact('semesters', number(row.semesters ?? 8)),
          fact('training', number(stored.program.min_training_weeks)),
          ...(row.is_general ? [fact('general', flag(true))] : []),
        ],
      },
      ...semesters.map(([semester, placed]): RegulationPart => ({
        title: `${say('semester')} ${semester}`,
        ...table(
          [
            ['code', 'center'],
            ['course', 'start'],
            ['hours', 'center'],
            ['kind', 'start'],
            ['requires', 'start'],
          ],
          placed.map((c) => [
            courses.get(c.course_id)?.code ?? '',
            name(courses.get(c.course_id)),
            number(courses.get(c.course_id)?.credit_hours ?? 0),
            kindOf(c.group_id),
            codes(coursesIn(c.prerequisites)),
          ]),
        ),
      })),
      ...(pools.length
        ? [
            {
              title: say('pools'),
              ...table(
                [
                  ['name', 'start'],
                  ['take', 'center'],
                ],
                pools.map((pool) => [name(pool), number(pool.min_credit_hours)]),
              ),
            },
          ]
        : []),
      ...(row.research_plan?.length
        ? [
            {
              title: say('research'),
              ...table(
                [
                  ['stage', 'start'],
                  ['times', 'center'],
                  ['earliest', 'center'],
                  ['latest', 'center'],
                ],
                row.research_plan.map((one) => [
                  choice(RESEARCH_STAGES, one.stage),
                  String(one.times),
                  one.earliest_semester === null ? '' : String(one.earliest_semester),
                  one.latest_semester === null ? '' : String(one.latest_semester),
                ]),
              ),
            },
          ]
        : []),
    ],
  }
}

/** The whole regulation as a PDF; of its programs those that the reader may see. @throws {Refusal} 404 */
export async function regulationPdf(ctx: Ctx, id: number, lang: PaperLanguage): Promise<FileResult> {
  const settings = await readSettings(ctx.db, ctx, id, 'export_bylaw')
  const speak = speaker(lang)
  const { say, name, flag, choice, fact } = speak
  const shown = await Promise.all(
    settings.programs.map(async (program) => {
      const row = await programs.find(ctx, ctx.db, program.id, 'show_program')
      return row && programChapter(row, await programPlan(ctx.db, program.id), speak)
    }),
  )
  const data = {
    lang,
    title: name(settings),
    below: say('regulation'),
    note: `${settings.code} · ${say('printed')}: ${dayOf()}`,
    university: {
      ...(await universityHead(ctx)),
      unit: settings.faculty.name,
      unit_local: settings.faculty.name_local,
    },
    facts: [
      fact('code', settings.code),
      fact('faculty', name(settings.faculty)),
      fact('program_type', choice(PROGRAM_TYPES, settings.program_type)),
      fact('in_admission', flag(settings.in_admission)),
    ],
    chapters: [
      gradesChapter(settings, speak),
      ...(worksByMarks(settings.program_type) ? marksChapters : creditHourChapters)(settings, speak),
      seenChapter(settings, speak),
      ...requirementsChapter(settings, speak),
      ...shown.filter((one) => one !== undefined),
    ],
    signatures: [say('registrar'), say('dean')],
  }
  const content = await renderPaper({ template: fileURLToPath(new URL('./regulation.typ', import.meta.url)), data })
  return { name: fileName('pdf', say('regulation'), settings.code), type: 'pdf', content }
}
