import { firstRow } from '#db/rows.ts'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { classificationFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { divideRounded, parseHundredths, printHundredths, toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { statusReached } from '#areas/common/academics/control.rules.ts'
import { listedMains } from '#areas/records/grading/grades/grades.rules.ts'
import { STANDINGS } from '#areas/common/academics/grading-words.contract.ts'
import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { bothCalendars } from '#areas/common/settings/hijri/hijri.server.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage, Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import type { PdfRequest } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import type { Names, PaperProof } from '#kit/server/papers/papers.ts'
import { signedLines, type SignedLine } from '#kit/server/papers/signed.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { replacedAttempts } from '../record/record.rules.ts'
import { readRecord } from '../record/academic-record.server.ts'
import { marksTranscript } from './by-marks.server.ts'
import type { Reader, Taken } from '../record/academic-record.server.ts'
import { STUDENT_STATUSES } from '../student/student.contract.ts'
import { students } from '../student/student.server.ts'

registerTemplate('transcript', fileURLToPath(new URL('./transcript.typ', import.meta.url)))

/** The words of the paper. */
const WORDS = {
  title: ['Academic transcript', 'بيان درجات'],
  official: ['Official transcript', 'بيان درجات رسمي'],
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  all: ['For internal use: contains results that are not published', 'للاستخدام الداخلي: يتضمن نتائج لم تُعلن'],
  own: ['Printed by the student; official only with stamp and signature', 'طبعه الطالب، ولا يُعتد به إلا بالختم والتوقيع'],
  name: ['Name', 'الاسم'],
  name_other: ['Name in Arabic', 'الاسم بالإنجليزية'],
  code: ['Student code', 'كود الطالب'],
  national_id: ['National id', 'الرقم القومي'],
  passport: ['Passport', 'جواز السفر'],
  birth: ['Date of birth', 'تاريخ الميلاد'],
  nationality: ['Nationality', 'الجنسية'],
  faculty: ['Faculty', 'الكلية'],
  program: ['Program', 'البرنامج'],
  degree: ['Degree', 'الدرجة العلمية'],
  bylaw: ['Bylaw', 'اللائحة'],
  entry: ['Entry', 'الالتحاق'],
  status: ['Status', 'حالة القيد'],
  printed: ['Printed on', 'تاريخ الطباعة'],
  course_code: ['Code', 'الكود'],
  course: ['Course', 'المقرر'],
  hours: ['Hours', 'الساعات'],
  mark: ['Mark', 'الدرجة'],
  grade: ['Grade', 'التقدير'],
  points: ['Points', 'النقاط'],
  weighted: ['Quality points', 'نقاط المقرر'],
  note: ['Note', 'ملاحظة'],
  registered: ['Registered hours', 'الساعات المسجلة'],
  passed: ['Passed hours', 'الساعات المجتازة'],
  term_gpa: ['Term GPA', 'معدل الفصل'],
  cumulative_gpa: ['Cumulative GPA', 'المعدل التراكمي'],
  cumulative_passed: ['Passed so far', 'إجمالي المجتاز'],
  revised: ['The figures of this term are being revised.', 'تجري مراجعة أرقام هذا الفصل.'],
  being_revised: ['being revised', 'قيد المراجعة'],
  not_finished: ['The figures of this term are not settled yet.', 'لم تُحتسب أرقام هذا الفصل بعد.'],
  summary: ['Result', 'النتيجة'],
  required: ['Hours for the degree', 'ساعات الدرجة العلمية'],
  classification: ['Classification', 'التقدير العام'],
  standing: ['Standing', 'الموقف الأكاديمي'],
  legend: ['Grades', 'التقديرات'],
  percent: ['Percent', 'النسبة'],
  marks_legend: ['Marks in the column of notes', 'رموز عمود الملاحظات'],
  repeat: ['Repeated course', 'مقرر معاد'],
  improve: ['To improve the grade', 'لتحسين التقدير'],
  replaced: ['Not in the cumulative GPA: another attempt counts', 'لا يدخل في المعدل التراكمي لاحتساب محاولة أخرى'],
  excluded: ['Not in the GPA', 'لا يدخل في المعدل'],
  credited: ['Courses credited by transfer', 'مقررات محتسبة بالمعادلة'],
  credit_passed: ['Passed', 'مجتاز'],
  unpublished: ['Not published', 'غير معلنة'],
  registrar: ['Registrar', 'مسجل الكلية'],
  dean: ['Dean', 'عميد الكلية'],
  stamp: ['Stamp', 'الختم'],
} as const satisfies Record<string, Label>

/** Signs in the column of notes, the same letters in both languages' own script. */
const SIGNS = {
  repeat: ['R', 'ع'],
  improve: ['I', 'ح'],
  replaced: ['×', '×'],
  excluded: ['N', 'خ'],
  unpublished: ['U', 'غ'],
} as const satisfies Record<string, Label>
type Sign = keyof typeof SIGNS

interface Person {
  birth_date: string | null
  national_id: string | null
  passport_number: string | null
  nationality: { name: string; name_local: string } | null
  degree: string | null
  degree_local: string | null
  department: { name: string; name_local: string } | null
  legend:
    | {
        letter: string
        name: string
        name_local: string
        from: string | null
        to: string | null
        points: string | null
      }[]
    | null
}

/** What only the paper needs beside the record. */
async function readPerson(ctx: Ctx, id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select ${students.column(ctx, 'birth_date')} as birth_date, ${students.column(ctx, 'national_id')} as national_id,
      ${students.column(ctx, 'passport_number')} as passport_number, p.degree, p.degree_local,
      (select json_build_object('name', c.name, 'name_local', c.name_local) from countries c where c.id = t.nationality_id) as nationality,
      (select json_build_object('name', d.name, 'name_local', d.name_local) from departments d where d.id = p.department_id) as department,
      (select json_agg(json_build_object('letter', l.letter, 'name', l.name, 'name_local', l.name_local, 'from', trim_scale(l.from_percent)::text,
          'to', trim_scale(l.to_percent)::text, 'points', l.points::text) order by l.place, l.from_percent desc, l.letter)
        from (select 1 as place, r.letter, r.name, r.name_local, r.from_percent, r.to_percent, r.points
            from grade_ranges r join grade_types g on g.id = r.grade_type_id where g.bylaw_id = t.bylaw_id and g.kind = 'letter'
          union all select 2, s.letter, s.name, s.name_local, null, null, case when s.counts_in_gpa then s.points end
            from special_grades s where s.bylaw_id = t.bylaw_id) l) as legend
    from students t join programs p on p.id = t.program_id where t.id = ${id}`.execute(ctx.db)
  return firstRow(rows)
}

const official = (one: Taken): boolean => statusReached(one.control_status, 'Published')

/** A transcript before it has its number. */
export interface ComposedTranscript {
  readonly holder: Names
  readonly program: Names
  readonly courses: number
  /** null: none is settled, or it is being revised. */
  readonly gpa: string | null
  readonly passed_hours: number
  /** Registrations whose results stand on it. */
  readonly registration_ids: readonly number[]
  /** `proof`: of an issued one, which stands on it with its QR code; `on`: the day it bears. */
  compose(serial: string, issued_at: string, on: string, proof?: PaperProof): PdfRequest
}

/**
 * What the transcript of a student says. It holds what is published or frozen; `all` adds every result there is.
 *
 * @param kind `official`: issued with a code that proves it; `own`: printed by the student
 * @param signed who signed it on the way of certificates
 * @throws {Refusal} 404; 403 when all results are asked for without the right to see the record; 409 `nothing_to_print`
 */
export async function composeTranscript(
  ctx: Ctx,
  reader: Reader,
  lang: PaperLanguage,
  {
    all = false,
    kind,
    signed = [],
  }: { all?: boolean; kind: 'official' | 'own' | 'print'; signed?: readonly SignedLine[] },
): Promise<ComposedTranscript> {
  const { id } = reader
  const record = await readRecord(ctx, reader)
  if (all) {
    const { rows } =
      await sql`select from students t where t.id = ${id} and ${students.scope(ctx, 'show_student_record')}`.execute(
        ctx.db,
      )
    if (!rows.length) throw refuse(403, 'not_allowed')
  }
  const { student } = record
  const [person, bylaw, head] = await Promise.all([
    readPerson(ctx, id),
    bylawSettings(ctx.db, student.bylaw.id, student.bylaw_version),
    universityHead(ctx),
  ])

  const { lines, files } = signedLines(signed, lang)
  const say = (word: keyof typeof WORDS): string => inLanguage(WORDS[word], lang)
  const sign = (name: Sign): string => inLanguage(SIGNS[name], lang)
  const settledStates = ['Withdrawn', 'ForcedWithdrawn', 'Excused']
  const shown = [...record.former, ...record.taken].filter(
    (one) =>
      !one.credited &&
      listedMains.includes(one.main) &&
      (one.letter !== null || settledStates.includes(one.main)) &&
      (all || official(one)),
  )
  const credits = record.credits.filter((credit) => !credit.former)
  if (!shown.length && !credits.length) throw refuse(409, 'nothing_to_print')
  const used = new Set<Sign>()
  const signsOf = (one: Taken): string => {
    const signs: Sign[] = []
    if (one.attempt === 'Repeat') signs.push('repeat')
    if (one.attempt === 'Improve') signs.push('improve')
    if (displaced.has(one)) signs.push('replaced')
    else if (one.letter !== null && one.counts_in_gpa === false) signs.push('excluded')
    if (!official(one)) signs.push('unpublished')
    for (const name of signs) used.add(name)
    return signs.map(sign).join(' ')
  }

  // A term's figures stand there only when every course of the term does.
  const everything = Map.groupBy([...record.former, ...record.taken], (one) => one.term.id)
  const results = new Map(record.results.filter((one) => all || one.published).map((one) => [one.term.id, one]))
  const formerOf = new Map<Taken, Ref>(record.former.map((one) => [one, one.program]))
  // Which attempt counts is settled with the figures of its term; each study counts its own.
  const attempts = shown
    .filter((one) => results.has(one.term.id) && !formerOf.has(one))
    .map((one) => ({
      course_id: one.course.id,
      points: one.points === null ? null : parseHundredths(one.points),
      counts: one.counts_in_gpa === true,
      one,
    }))
  const displaced = new Set([...replacedAttempts(attempts, bylaw.repeat.counts)].map(({ one }) => one))
  const nameOfTerm = ([one]: readonly Taken[]) =>
    [nameIn(one!.term, lang), nameIn(formerOf.get(one!), lang)].filter(Boolean).join(' · ')
  const figuresOf = (courses: readonly Taken[]) => {
    const result = results.get(courses[0]!.term.id)
    return result
      ? [
          { label: say('registered'), value: String(result.registered_hours) },
          { label: say('passed'), value: String(result.passed_hours) },
          { label: say('term_gpa'), value: result.gpa ?? '–' },
          { label: say('cumulative_passed'), value: String(result.cumulative_passed_hours) },
          { label: say('cumulative_gpa'), value: result.cumulative_gpa ?? '–' },
        ]
      : null
  }
  // Somebody who moved between the two kinds of regulation has terms of both.
  const marked = (courses: readonly Taken[]) => courses.every((one) => one.maximum !== null)
  const inMarks =
    student.by_marks || shown.some((one) => one.maximum !== null)
      ? await marksTranscript(ctx, { id, bylaw_id: student.bylaw.id }, shown, {
          lang,
          all,
          signs: signsOf,
          name: nameOfTerm,
          figures: (courses) => (marked(courses) ? null : figuresOf(courses)),
        })
      : null
  const terms = [...Map.groupBy(shown, (one) => one.term.id).values()].map((courses, i) => {
    return {
      name: nameOfTerm(courses),
      unsettled: say(record.revised.has(courses[0]!.term.id) ? 'revised' : 'not_finished'),
      rows: courses.map((one) => {
        const points = one.points === null || one.counts_in_gpa === false ? null : parseHundredths(one.points)!
        const state = REGISTRATION_STATES.find((s) => s.value === one.main)!
        return [
          one.course.code ?? '',
          nameIn(one.course, lang) ?? '',
          String(one.course.credit_hours),
          one.total === null
            ? ''
            : one.maximum === null
              ? String(Number(one.total))
              : `${Number(one.total)} / ${one.maximum}`,
          nameIn(one.rating, lang) ?? one.letter ?? inLanguage(state.label, lang),
          points === null ? '' : printHundredths(points),
          points === null ? '' : printHundredths(divideRounded(points * toHundredths(one.course.credit_hours), 100)),
          signsOf(one),
        ]
      }),
      figures: inMarks && marked(courses) ? inMarks.terms[i]!.figures : figuresOf(courses),
    }
  })
  const byMarks = student.by_marks ? inMarks : null
  const creditedTerm = credits.length
    ? [
        {
          name: say('credited'),
          unsettled: '',
          rows: credits.map((credit) => {
            const points = credit.points === null || !credit.counts_in_gpa ? null : parseHundredths(credit.points)!
            if (!byMarks && !credit.counts_in_gpa) used.add('excluded')
            const name = [
              nameIn(credit.course, lang),
              [credit.source.code, nameIn(credit.source.institution, lang)].filter(Boolean).join(', '),
            ]
              .filter(Boolean)
              .join(' ← ')
            const grade = nameIn(credit.rating, lang) ?? credit.letter ?? say('credit_passed')
            return byMarks
              ? [
                  credit.course.code ?? '',
                  name,
                  credit.maximum === null ? '' : String(credit.maximum),
                  credit.mark ?? '',
                  grade,
                  '',
                ]
              : [
                  credit.course.code ?? '',
                  name,
                  String(credit.course.credit_hours),
                  '',
                  grade,
                  points === null ? '' : printHundredths(points),
                  points === null
                    ? ''
                    : printHundredths(divideRounded(points * Math.round(credit.course.credit_hours * 100), 100)),
                  credit.counts_in_gpa ? '' : sign('excluded'),
                ]
          }),
          figures: [],
        },
      ]
    : []
  // Cumulative figures stand on every term: while one is being revised there are none.
  const revised = [...everything.keys()].some((id) => record.revised.has(id))
  const last = revised ? undefined : record.standing.findLast((one) => results.has(one.term.id))
  // Courses credited after the last finished term are in the figures of the student alone.
  const standing_gpa = revised ? null : last ? last.cumulative_gpa : credits.length ? student.gpa : null
  const standing_hours = last ? last.cumulative_passed_hours : credits.length ? (student.passed_hours ?? 0) : 0
  const gpa = standing_gpa
  const classification = gpa === null ? null : classificationFor(bylaw.gpa_ranges, parseHundredths(gpa)!)
  const standing = STANDINGS.find((s) => s.value === last?.standing)
  const status = STUDENT_STATUSES.find((s) => s.value === student.status)
  const fact = (word: keyof typeof WORDS, value: string | null | undefined) =>
    value ? [{ label: say(word), value }] : []
  const other = lang === 'ar' ? student.name : student.name_local
  const birth = person.birth_date && (await bothCalendars(ctx, person.birth_date, lang))

  return {
    holder: { name: student.name, name_local: student.name_local ?? student.name },
    program: { name: student.program.name, name_local: student.program.name_local ?? student.program.name },
    courses: shown.length + credits.length,
    gpa,
    passed_hours: standing_hours,
    registration_ids: shown.map((one) => one.registration_id),
    compose: (serial, issued_at, on, proof) => ({
      template: 'transcript',
      files,
      created: new Date(issued_at),
      data: {
        lang,
        title: say(kind === 'official' ? 'official' : 'title'),
        ...(proof && { proof: { ...proof, caption: say('verify') } }),
        note: all ? say('all') : kind === 'own' ? say('own') : null,
        serial,
        university: {
          ...head,
          unit: student.faculty.name,
          unit_local: student.faculty.name_local,
        },
        student: [
          ...fact('name', nameIn(student, lang)),
          ...fact('code', student.code),
          ...(other && other !== nameIn(student, lang) ? fact('name_other', other) : []),
          ...(person.national_id ? fact('national_id', person.national_id) : fact('passport', person.passport_number)),
          ...fact('program', nameIn(student.program, lang)),
          ...fact('nationality', nameIn(person.nationality, lang)),
          ...fact(
            'degree',
            lang === 'ar' ? (person.degree_local ?? person.degree) : (person.degree ?? person.degree_local),
          ),
          ...fact('birth', birth),
          ...fact('bylaw', nameIn(student.bylaw, lang)),
          ...fact('entry', nameIn(student.entry_term, lang)),
          ...fact('status', status && inLanguage(status.label, lang)),
          ...fact(kind === 'official' ? 'issued' : 'printed', on),
        ],
        columns:
          byMarks?.columns ??
          (['course_code', 'course', 'hours', 'mark', 'grade', 'points', 'weighted', 'note'] as const).map(say),
        terms: [...creditedTerm, ...(byMarks?.terms ?? terms)],
        summary: {
          title: say('summary'),
          items: byMarks?.items ?? [
            ...fact('cumulative_gpa', revised ? say('being_revised') : gpa),
            ...fact('classification', nameIn(classification, lang)),
            ...fact('passed', revised ? say('being_revised') : String(standing_hours)),
            ...fact('required', student.required_hours ? String(student.required_hours) : null),
            ...fact('standing', standing && inLanguage(standing.label, lang)),
          ],
        },
        legend: {
          title: say('legend'),
          columns: byMarks?.legend.columns ?? (['grade', 'percent', 'points'] as const).map(say),
          rows:
            byMarks?.legend.rows ??
            (person.legend ?? []).map((one) => [
              one.letter,
              one.from === null
                ? (nameIn(one, lang) ?? '')
                : `${one.from} – ${one.to === '100' ? one.to : `< ${one.to}`}`,
              one.points ?? '',
            ]),
          signs_title: say('marks_legend'),
          signs: (Object.keys(SIGNS) as Sign[])
            .filter((name) => used.has(name))
            .map((name) => ({ sign: sign(name), text: say(name) })),
        },
        // Left out where nobody signed: what was prepared before there were such lines reads the same.
        ...(lines.length && { signed: lines }),
        signatures: lines.length ? [] : (['registrar', 'stamp', 'dean'] as const).map(say),
      },
      attach: {
        name: 'transcript.json',
        json: {
          serial,
          issued_at,
          official: !all,
          student: { code: student.code, name: student.name, name_local: student.name_local },
          gpa,
          being_revised: revised,
          program: student.program,
          passed_hours: standing_hours,
          credited: credits.map((credit) => ({
            code: credit.course.code,
            name: credit.course.name,
            name_local: credit.course.name_local,
            hours: credit.course.credit_hours,
            letter: credit.letter,
            points: credit.points,
            mark: credit.mark,
            maximum: credit.maximum,
            from: credit.source.code,
          })),
          courses: shown.map((one) => ({
            term: one.term.code,
            code: one.course.code,
            name: one.course.name,
            name_local: one.course.name_local,
            passed: one.passed,
            mark: one.total,
            maximum: one.maximum,
            hours: one.course.credit_hours,
            letter: one.letter,
            points: one.points,
          })),
        },
      },
    }),
  }
}
