/** A bylaw on paper: everything it rules, its programs and their plans, in Arabic or in English. */
import { fileURLToPath } from 'node:url'
import { controlStatusTexts } from '#areas/common/academics/control.rules.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/context.ts'
import { nameIn } from '#kit/server/fields.ts'
import { fileName } from '#kit/server/file-name.ts'
import { renderPaper } from '#kit/server/papers.ts'
import { universityHead } from '#kit/server/university.ts'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { programPlan, type ProgramPlan } from '../programs/plan.server.ts'
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
import { readSettings } from './settings.server.ts'

const WORDS = {
  regulation: ['Bylaw', 'اللائحة'],
  printed: ['Printed', 'تاريخ الطباعة'],
  code: ['Code', 'الكود'],
  faculty: ['Faculty', 'الكلية'],
  program_type: ['Program type', 'نظام الدراسة'],
  in_admission: ['Open for admission', 'متاحة للقبول'],
  training: ['Training weeks', 'أسابيع التدريب'],
  yes: ['Yes', 'نعم'],
  no: ['No', 'لا'],
  none: ['No limit', 'بلا حد'],
  never: ['Never', 'لا تظهر'],
  grades: ['Grades', 'التقديرات'],
  letter: ['Letter', 'الرمز'],
  name: ['Name', 'الاسم'],
  from_percent: ['From %', 'من %'],
  to_percent: ['To %', 'إلى %'],
  points: ['Points', 'النقاط'],
  success: ['Success', 'نجاح'],
  special: ['Special grades', 'تقديرات خاصة'],
  status: ['Status', 'الحالة'],
  in_gpa: ['In GPA', 'في المعدل'],
  in_attempted: ['In attempted hours', 'في الساعات المسجلة'],
  final_exam: ['Minimum of the final exam (%)', 'الحد الأدنى للاختبار النهائي (%)'],
  places: ['Decimal places of the total', 'المنازل العشرية للمجموع'],
  levels: ['Levels', 'المستويات'],
  level: ['Level', 'المستوى'],
  opens: ['Passed hours that open it', 'الساعات المجتازة للانتقال إليه'],
  chances: ['Years allowed', 'سنوات البقاء'],
  counts: ['In the cumulative rating', 'في التقدير التراكمي'],
  classification: ['Classification', 'التقدير العام'],
  from_gpa: ['From GPA', 'من معدل'],
  to_gpa: ['To GPA', 'إلى معدل'],
  load: ['Load', 'العبء الدراسي'],
  hours: ['Credit hours', 'الساعات المعتمدة'],
  summer: ['In summer', 'في الصيف'],
  courses: ['Courses', 'المقررات'],
  warnings: ['Academic warnings', 'الإنذارات الأكاديمية'],
  warning_max: ['Maximum of warnings', 'الحد الأقصى للإنذارات'],
  warning_gpa: ['Warned below GPA', 'الإنذار عند معدل أقل من'],
  warning_type: ['Which GPA', 'أي معدل'],
  warning_count: ['How they are counted', 'طريقة الاحتساب'],
  warning_hours: ['Credit hours under warning', 'الساعات المعتمدة للطالب المنذَر'],
  warning_summer: ['Summer terms can earn a warning', 'يُحتسب الإنذار في الفصل الصيفي'],
  no_warnings: ['This bylaw has no warnings.', 'لا إنذارات في هذه اللائحة.'],
  by_load: ['As the load range says', 'بحسب مدى العبء'],
  repeats: ['Repeated courses', 'إعادة المقررات'],
  repeat_rule: ['Which attempt counts', 'المحاولة المحتسبة'],
  repeat_points: ['Most points after failing', 'أقصى نقاط بعد الرسوب'],
  repeat_times: ['Repeats allowed', 'عدد مرات الإعادة'],
  improve_points: ['Most points after improving', 'أقصى نقاط عند التحسين'],
  improvements: ['Improvements allowed', 'عدد مرات التحسين'],
  improve_letters: ['Grades that may be improved', 'التقديرات القابلة للتحسين'],
  all: ['All', 'جميعها'],
  withdrawn_charge: ['Charged of a withdrawn course (%)', 'المحتسب من رسوم المقرر المنسحب منه (%)'],
  excused_charge: ['Charged of an excused course (%)', 'المحتسب من رسوم المقرر الذي قُبل عذره (%)'],
  graduation: ['Graduation', 'التخرج'],
  gpa: ['Minimum GPA', 'الحد الأدنى للمعدل'],
  extra_hours: ['Extra credit hours in the last term', 'ساعات إضافية في فصل التخرج'],
  extra_courses: ['Extra courses in the last term', 'مقررات إضافية في فصل التخرج'],
  ratings: ['Ratings', 'التقديرات العامة'],
  conversions: ['Between points and marks', 'بين النقاط والدرجات'],
  to_share: ['To % of the maximum', 'إلى % من النهاية العظمى'],
  from_points: ['From points', 'من نقاط'],
  to_points: ['To points', 'إلى نقاط'],
  from_share: ['From % of the maximum', 'من % من النهاية العظمى'],
  promotion: ['Promotion', 'الانتقال بين المستويات'],
  pass_share: ['Passed from (% of the maximum)', 'النجاح من (% من النهاية العظمى)'],
  max_carried: ['Failed courses carried', 'مقررات التخلف'],
  carried_final: ['Also from the final level', 'ومن المستوى النهائي'],
  second_session: ['Second session', 'الدور الثاني'],
  capped: ['A later sitting earns at most a pass', 'لا يتجاوز النجاح في دور لاحق درجة النجاح'],
  max_chances: ['Years in all', 'مجموع السنوات'],
  exceptions: ['Exceptions from carrying courses', 'استثناءات مقررات التخلف'],
  exception: ['Exception', 'الاستثناء'],
  honours: ['Honours from rating', 'مرتبة الشرف من تقدير'],
  no_honours: ['None', 'لا توجد'],
  grace: ['Grace marks', 'درجات الرأفة'],
  grace_course: ['Most in one course', 'الحد الأقصى للمقرر'],
  grace_all: ['Most in all', 'الحد الأقصى للمجموع'],
  grace_share: ['Most of the level’s maximum (%)', 'الحد الأقصى من مجموع المستوى (%)'],
  grace_order: ['Used, in this order, for', 'تُصرف بهذا الترتيب لـ'],
  grace_shown: ['Shown on the transcript', 'تظهر في بيان الدرجات'],
  no_grace: ['This bylaw gives no grace marks.', 'لا درجات رأفة في هذه اللائحة.'],
  seen: ['What students see', 'ما يراه الطلاب'],
  marks: ['Marks', 'الدرجات'],
  gpa_seen: ['GPA', 'المعدل'],
  requirements: ['Requirements', 'المتطلبات'],
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty_list: ['Faculty requirements', 'متطلبات الكلية'],
  course: ['Course', 'المقرر'],
  programs: ['Programs', 'البرامج'],
  degree: ['Degree', 'الدرجة العلمية'],
  study_level: ['Study level', 'المرحلة الدراسية'],
  semesters: ['Semesters', 'عدد الفصول الدراسية'],
  general: ['General program', 'برنامج عام'],
  plan: ['Study plan', 'الخطة الدراسية'],
  semester: ['Semester', 'الفصل'],
  kind: ['Kind', 'النوع'],
  requires: ['Requires', 'المتطلبات السابقة'],
  pools: ['Elective pools', 'المجموعات الاختيارية'],
  take: ['Hours a student takes', 'الساعات التي يدرسها الطالب'],
  research: ['Research plan', 'الخطة البحثية'],
  stage: ['Milestone', 'المرحلة'],
  times: ['How often', 'عدد المرات'],
  earliest: ['Earliest semester', 'أول فصل'],
  latest: ['Latest semester', 'آخر فصل'],
  dean: ['Dean', 'عميد الكلية'],
  registrar: ['Registrar', 'المسجل العام'],
} as const satisfies Record<string, Label>
type Word = keyof typeof WORDS

interface Fact {
  label: string
  value: string
}
interface Part {
  title?: string
  facts?: Fact[]
  columns?: { label: string; align: 'start' | 'center' }[]
  rows?: string[][]
}
interface Chapter {
  title: string
  text?: string
  parts: Part[]
}

/** What says the same in either language: words, names, figures without needless zeros. */
function speaker(lang: PaperLanguage) {
  const say = (word: Word): string => inLanguage(WORDS[word], lang)
  return {
    lang,
    say,
    name: (row: Parameters<typeof nameIn>[0]): string => nameIn(row, lang) ?? '',
    number: (value: number | string | null, none: Word = 'none'): string =>
      value === null ? say(none) : String(Number(value)),
    flag: (value: boolean): string => say(value ? 'yes' : 'no'),
    choice: (list: readonly { value: string; label: Label }[], value: string | null): string => {
      const found = list.find((one) => one.value === value)
      return found ? inLanguage(found.label, lang) : '–'
    },
    fact: (word: Word, value: string): Fact => ({ label: say(word), value }),
    /** Words and names stand at the start of their column, figures in the middle. */
    table: (columns: readonly (readonly [Word, 'start' | 'center'])[], rows: string[][]): Part => ({
      columns: columns.map(([word, align]) => ({ label: say(word), align })),
      rows,
    }),
  }
}
type Speaker = ReturnType<typeof speaker>

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
  const parts = (['university', 'faculty'] as const).flatMap((type): Part[] =>
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
      ...semesters.map(([semester, placed]): Part => ({
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
    settings.programs.map(async (one) => {
      const row = await programs.find(ctx, ctx.db, one.id, 'show_program')
      return row && programChapter(row, await programPlan(ctx.db, one.id), speak)
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
