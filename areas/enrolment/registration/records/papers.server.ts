/** Papers of registration: the form of a term with the weekly timetable, and the audit report. */
import { fileURLToPath } from 'node:url'
import { dayOf } from '#kit/contract/day.ts'
import { ownAcademicRecord, recordOf } from '#areas/records/students/record/academic-record.server.ts'
import { studyPlanOf } from '#areas/records/students/study-plan/study-plan.server.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { handle } from '#kit/server/base/context.ts'
import { PdfError, renderPdf, type PdfRequest } from '#kit/server/documents/index.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { isSelf } from '../capacity.server.ts'
import { WEEKDAYS, meetingType } from '#kit/contract/week.ts'
import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import type { SlotRow } from '../requests/request.contract.ts'
import { requestedOf } from '../requests/view.server.ts'
import { paperCalls } from './papers.contract.ts'

const template = (name: string): string => fileURLToPath(new URL(`./${name}.typ`, import.meta.url))

const WORDS = {
  form: ['Registration form', 'استمارة تسجيل'],
  audit: ['Audit report', 'تقرير مراجعة المقررات'],
  code: ['Code', 'الكود'],
  name: ['Name', 'الاسم'],
  program: ['Program', 'البرنامج'],
  faculty: ['Faculty', 'الكلية'],
  level: ['Level', 'المستوى'],
  advisor: ['Academic advisor', 'المرشد الأكاديمي'],
  bylaw: ['Bylaw', 'اللائحة'],
  gpa: ['Cumulative GPA', 'المعدل التراكمي'],
  printed: ['Printed', 'تاريخ الطباعة'],
  course: ['Course', 'المقرر'],
  hours: ['Hours', 'الساعات'],
  status: ['Status', 'الحالة'],
  meetings: ['Weekly meetings', 'المواعيد الأسبوعية'],
  courses: ['Courses', 'عدد المقررات'],
  limit: ['Maximum hours', 'الحد الأقصى للساعات'],
  week: ['Weekly timetable', 'الجدول الأسبوعي'],
  student_signature: ['Student', 'الطالب'],
  registrar_signature: ['Registrar', 'شؤون الطلاب'],
  not_placed: ['Not placed yet', 'لم يحدد بعد'],
  hours_done: ['Credit hours', 'الساعات المعتمدة'],
  training: ['Training weeks', 'أسابيع التدريب'],
  met: ['Met', 'مستوفى'],
  in_progress: ['In progress', 'جارٍ'],
  missing: ['Missing', 'متبقٍ'],
  required: ['Required', 'المطلوب'],
  earned: ['Earned', 'المجتاز'],
  running: ['Running', 'الجاري'],
  satisfied_by: ['Term', 'الفصل'],
  grade: ['Grade', 'التقدير'],
  mandatory: ['Mandatory courses', 'المقررات الإجبارية'],
  elective: ['Elective courses', 'المقررات الاختيارية'],
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty_list: ['Faculty requirements', 'متطلبات الكلية'],
  other: ['Courses outside the plan', 'مقررات خارج الخطة'],
} as const satisfies Record<string, Label>

type Named = { name: string; name_local?: string | null }
const nameIn = (row: Named | null | undefined, lang: PaperLanguage): string =>
  row ? (lang === 'ar' && row.name_local) || row.name : ''

/** A character that the fonts lack is printed as a box, so that an odd name does not withhold the paper. */
async function render(request: PdfRequest): Promise<Uint8Array> {
  try {
    return await renderPdf(request)
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'pdf_glyph_missing') throw error
    return renderPdf({ ...request, archive: false })
  }
}

/** The registration form of a student for a term (the one he or she registers in, unless told). @throws {Refusal} 404 */
export async function registrationForm(
  ctx: Ctx,
  studentId: number,
  lang: PaperLanguage,
  termId?: number,
): Promise<FileResult> {
  const { student, term, load, registrations } = await requestedOf(ctx, studentId, termId)
  const say = (key: keyof typeof WORDS) => inLanguage(WORDS[key], lang)
  const stateOf = (value: string) =>
    inLanguage(
      REGISTRATION_STATES.find((registrationState) => registrationState.value === value)?.label ?? ['', ''],
      lang,
    )
  const typeOf = (slot: SlotRow) => inLanguage(meetingType(slot.type), lang)
  const placeOf = (slot: SlotRow) => slot.location?.code ?? slot.location?.name ?? null
  const standing = registrations.filter((registration) => registration.state !== 'Dropped')
  const placed = standing.flatMap((one) =>
    one.slots.flatMap((slot) =>
      slot.day === null || !slot.from || !slot.to
        ? []
        : [{ code: one.course.code ?? '', slot, day: slot.day, time: `${slot.from}–${slot.to}` }],
    ),
  )
  const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => day < 6 || placed.some((one) => one.day === 6))
  const times = [...new Set(placed.map((one) => one.time))].toSorted()
  const content = await render({
    template: template('form'),
    data: {
      lang,
      title: say('form'),
      note: nameIn(term, lang),
      university: {
        ...(await universityHead(ctx)),
        unit: student.faculty.name,
        unit_local: student.faculty.name_local,
      },
      student: [
        { label: say('code'), value: student.code },
        { label: say('name'), value: nameIn(student, lang) },
        { label: say('program'), value: nameIn(student.program, lang) },
        { label: say('level'), value: String(student.level) },
        { label: say('advisor'), value: nameIn(student.advisor, lang) || '–' },
        { label: say('gpa'), value: load.gpa ?? '–' },
      ],
      columns: (['code', 'course', 'hours', 'status', 'meetings'] as const).map(say),
      rows: standing.map((one) => ({
        code: one.course.code,
        name: nameIn(one.course, lang),
        hours: String(one.course.credit_hours),
        state: stateOf(one.state),
        meetings: one.slots.map((slot) => ({
          day: slot.day === null ? say('not_placed') : inLanguage(WEEKDAYS[slot.day]!, lang),
          time: slot.from && slot.to ? `${slot.from}–${slot.to}` : '',
          type: typeOf(slot),
          place: placeOf(slot),
        })),
      })),
      totals: [
        { label: say('courses'), value: String(load.courses) },
        { label: say('hours'), value: String(load.hours) },
        ...(load.max_hours === null ? [] : [{ label: say('limit'), value: String(load.max_hours) }]),
      ],
      week: {
        title: say('week'),
        days: days.map((day) => inLanguage(WEEKDAYS[day]!, lang)),
        rows: times.map((time) => ({
          time,
          cells: days.map((day) => {
            const here = placed.filter((one) => one.time === time && one.day === day)
            return here.length
              ? here.map(({ code, slot }) => ({ code, type: typeOf(slot), place: placeOf(slot) }))
              : null
          }),
        })),
      },
      signatures: (['student_signature', 'advisor', 'registrar_signature'] as const).map(say),
    },
  })
  return { name: fileName('pdf', say('form'), student.code, term?.code), type: 'pdf', content }
}

/** What the student has met, takes now and still misses of the study plan. @throws {Refusal} 404 */
export async function auditReport(ctx: Ctx, studentId: number, lang: PaperLanguage): Promise<FileResult> {
  const { data: audit } = await studyPlanOf(ctx, isSelf(ctx, studentId) ? ownAcademicRecord(ctx) : recordOf(studentId))
  const say = (key: keyof typeof WORDS) => inLanguage(WORDS[key], lang)
  const titles = {
    mandatory: say('mandatory'),
    elective: say('elective'),
    university: say('university'),
    faculty: say('faculty_list'),
  }
  const figures = (one: { required: number; earned: number; in_progress: number }) => [
    { label: say('required'), value: String(one.required) },
    { label: say('earned'), value: String(one.earned) },
    { label: say('running'), value: String(one.in_progress) },
  ]
  const content = await render({
    template: template('audit'),
    data: {
      lang,
      title: say('audit'),
      note: `${say('printed')}: ${dayOf()}`,
      university: await universityHead(ctx),
      student: [
        { label: say('code'), value: audit.student.code ?? '' },
        { label: say('name'), value: nameIn(audit.student, lang) },
        { label: say('program'), value: nameIn(audit.program, lang) },
        { label: say('bylaw'), value: nameIn(audit.bylaw, lang) },
        { label: say('level'), value: String(audit.student.level) },
        { label: say('gpa'), value: audit.gpa.actual ?? '–' },
      ],
      summary: [
        {
          label: say('hours_done'),
          value: `${audit.hours.earned} / ${audit.hours.required}`,
          state: audit.hours.state,
          word: say(audit.hours.state),
        },
        {
          label: say('gpa'),
          value: `${audit.gpa.actual ?? '–'} / ${audit.gpa.required}`,
          state: audit.gpa.state,
          word: say(audit.gpa.state),
        },
        ...(audit.training.required > 0
          ? [
              {
                label: say('training'),
                value: `${audit.training.earned} / ${audit.training.required}`,
                state: audit.training.state,
                word: say(audit.training.state),
              },
            ]
          : []),
      ],
      columns: (['code', 'course', 'hours', 'status', 'satisfied_by', 'grade'] as const).map(say),
      groups: [
        ...audit.groups.map((group) => ({
          title:
            nameIn(group.name === null ? null : { name: group.name, name_local: group.name_local }, lang) ||
            titles[group.kind],
          figures: figures(group),
          rows: group.courses.map(({ course, state, satisfied_by }) => ({
            code: course.code,
            name: nameIn(course, lang),
            hours: String(course.credit_hours),
            state,
            word: say(state),
            by: satisfied_by ? nameIn(satisfied_by.term, lang) : null,
            grade: satisfied_by?.letter ?? null,
          })),
        })),
        ...(audit.other.length
          ? [
              {
                title: say('other'),
                figures: [],
                rows: audit.other.map(({ course, state, term, letter }) => ({
                  code: course.code,
                  name: nameIn(course, lang),
                  hours: String(course.credit_hours),
                  state: state === 'passed' ? 'met' : 'in_progress',
                  word: say(state === 'passed' ? 'met' : 'in_progress'),
                  by: nameIn(term, lang),
                  grade: letter,
                })),
              },
            ]
          : []),
      ],
    },
  })
  return { name: 'audit-report.pdf', type: 'pdf', content }
}

export const paperHandlers: Handled[] = [
  handle(paperCalls.form, (ctx, { params, query }) =>
    registrationForm(ctx, params.student_id, params.lang, query.term_id),
  ),
  handle(paperCalls.audit, (ctx, { params, body }) => auditReport(ctx, params.id, body.lang ?? paperLang(ctx))),
]
