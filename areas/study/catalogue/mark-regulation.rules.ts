/**
 * What a regulation by marks (`term` and `annual` bylaws) says: when a course is passed, how a share of marks is rated,
 * with what a student goes on to the next level, how many years may be spent, and what grace marks may turn. No GPA, no
 * points and no load stand in it.
 *
 * Marks and shares are in hundredths (see `decimal.rules.ts`): a share of 60 % is 6000, a maximum of 150 marks is 15000.
 */
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import type { Hundredths } from './decimal.rules.ts'

/** Whether a bylaw of this type works by marks and levels instead of credit hours; without a type it does not. */
export const worksByMarks = (program_type: string | null): boolean =>
  program_type === 'term' || program_type === 'annual'

/** A rating holds from its own share of the maximum up to that of the next higher one. */
export type Rating = { code: string; name: string; name_local: string; from: Hundredths }

/** What grace marks may turn: a failed course into passed, a repeat into a promotion, a rating into the next one. */
export const gracePurposes = ['pass_course', 'promote', 'next_rating'] as const
export type GracePurpose = (typeof gracePurposes)[number]

/** `null` = no such limit; `per_course` 0 = there are no grace marks. */
export type GraceRegulation = {
  /** In this order they are spent; what is not named is not served. */
  order: GracePurpose[]
  per_course: Hundredths
  in_all: Hundredths | null
  /** Of the maximum of the level. */
  share: Hundredths | null
  on_transcript: boolean
}

export type MarkRules = {
  /** Share of the maximum with which a course is passed. */
  pass_share: Hundredths
  /** Share of the written (final) exam below which it is failed, whatever the total. */
  min_final_share: Hundredths
  /** Highest first. */
  ratings: Rating[]
  /** With how many failed courses a student goes on to the next level. */
  max_carried: number
  carried_from_final_level: boolean
  /** Course ids: whoever failed one stays in the level. */
  required_courses: number[]
  /** Course ids: carried beside the others, without counting. */
  uncounted_courses: number[]
  second_session: boolean
  /** A course passed at a later sitting counts with the marks that pass, no more. */
  later_sitting_capped: boolean
  /** Years in all; null = as many as the levels allow together. */
  max_chances: number | null
  /** Lowest first; `chances: null` = any number of years. */
  levels: { level: number; chances: number | null; counts_for_graduation: boolean }[]
  /** Code of the rating that each level must reach for honours; null = there are none. */
  honours_rating: string | null
  grace: GraceRegulation
}

/** Whether marks reach a share of the maximum. */
export const reachesShare = (marks: Hundredths, maximum: Hundredths, share: Hundredths): boolean =>
  marks * 10000 >= share * maximum

/** The fewest marks that reach a share of the maximum. */
export const marksFor = (share: Hundredths, maximum: Hundredths): Hundredths => Math.ceil((share * maximum) / 10000)

/** The rating of marks out of a maximum (of a course, a level, all levels); null where there is nothing to rate. */
export const regulationRatingOf = (
  ratings: readonly Rating[],
  marks: Hundredths | null,
  maximum: Hundredths,
): Rating | null =>
  marks === null || maximum <= 0 ? null : (ratings.find(({ from }) => reachesShare(marks, maximum, from)) ?? null)

/** The ratings of most universities, around the share that passes. */
export const usualRatings = (pass: Hundredths): Rating[] =>
  [
    { code: 'EX', name: 'Excellent', name_local: 'ممتاز', from: 8500 },
    { code: 'VG', name: 'Very good', name_local: 'جيد جدًا', from: 7500 },
    { code: 'G', name: 'Good', name_local: 'جيد', from: 6500 },
    { code: 'P', name: 'Pass', name_local: 'مقبول', from: pass },
    { code: 'W', name: 'Weak', name_local: 'ضعيف', from: 3500 },
    { code: 'VW', name: 'Very weak', name_local: 'ضعيف جدًا', from: 0 },
  ].filter(({ code, from }) => code === 'P' || from < pass === ['W', 'VW'].includes(code))

export type MarkRulesCode =
  | 'pass_share'
  | 'rating_code'
  | 'rating_code_twice'
  | 'rating_name'
  | 'rating_share'
  | 'rating_share_twice'
  | 'rating_lowest'
  | 'rating_pass'
  | 'honours_rating'
  | 'carried_course_twice'
  | 'grace_order_twice'
  | 'grace_limit'

/** Texts of everything a regulation by marks can get wrong. */
export const markRulesTexts: Record<MarkRulesCode, Bilingual> = {
  pass_share: {
    en: 'The share that passes is more than 0 and at most 100, with at most two decimal places',
    ar: 'نسبة النجاح أكبر من 0 ولا تزيد على 100، بمنزلتين عشريتين على الأكثر',
  },
  rating_code: { en: 'A rating needs a symbol', ar: 'يلزم رمز للتقدير' },
  rating_code_twice: { en: 'The symbol {rating} is used twice', ar: 'الرمز {rating} مستخدم مرتين' },
  rating_name: { en: 'A rating needs a name in both languages', ar: 'يلزم اسم التقدير باللغتين' },
  rating_share: {
    en: 'A rating begins between 0 and 100 percent, with at most two decimal places',
    ar: 'يبدأ التقدير بين 0 و100 في المئة بمنزلتين عشريتين على الأكثر',
  },
  rating_share_twice: { en: 'Two ratings begin at {share} percent', ar: 'تقديران يبدآن عند {share} في المئة' },
  rating_lowest: { en: 'The lowest rating begins at 0 percent', ar: 'يبدأ أدنى تقدير عند 0 في المئة' },
  rating_pass: {
    en: 'A rating begins at the share that passes, {share} percent',
    ar: 'يجب أن يبدأ أحد التقديرات عند نسبة النجاح {share} في المئة',
  },
  honours_rating: {
    en: 'Honours need a rating of the bylaw that passes: {rating}',
    ar: 'يلزم لمرتبة الشرف تقدير نجاح من تقديرات اللائحة: {rating}',
  },
  carried_course_twice: { en: 'The course is named twice', ar: 'المقرر مذكور مرتين' },
  grace_order_twice: {
    en: 'Each purpose of grace marks is named once',
    ar: 'يُذكر كل غرض من أغراض درجات الرأفة مرة واحدة',
  },
  grace_limit: {
    en: 'The limit in all is at least that of a course',
    ar: 'حد درجات الرأفة الإجمالي لا يقل عن حد المقرر الواحد',
  },
}

const whole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

/** Everything that is wrong with a regulation by marks; fields as they are called in the settings. */
export function checkMarkRules(rules: MarkRules, courses: readonly number[]): Problem<MarkRulesCode>[] {
  const problems: Problem<MarkRulesCode>[] = []
  const add = (code: MarkRulesCode, field: string, data: Problem['data'] = {}) => problems.push({ code, field, data })
  const pass = rules.pass_share
  if (!whole(pass, 1, 10000)) add('pass_share', 'pass_share')
  const codes = new Set<string>()
  const shares = new Set<number>()
  rules.ratings.forEach(({ code, name, name_local, from }, i) => {
    const field = `ratings.${i}`
    if (code.trim() === '') add('rating_code', `${field}.code`)
    else if (codes.has(code)) add('rating_code_twice', `${field}.code`, { rating: code })
    codes.add(code)
    if (name.trim() === '' || name_local.trim() === '') add('rating_name', `${field}.name`)
    if (!whole(from, 0, 9999)) add('rating_share', `${field}.from_share`)
    else if (shares.has(from)) add('rating_share_twice', `${field}.from_share`, { share: from / 100 })
    shares.add(from)
  })
  if (!shares.has(0)) add('rating_lowest', 'ratings')
  if (whole(pass, 1, 10000) && !shares.has(pass)) add('rating_pass', 'ratings', { share: pass / 100 })
  const honours = rules.honours_rating
  if (honours !== null && !rules.ratings.some(({ code, from }) => code === honours && from >= pass))
    add('honours_rating', 'honours_rating', { rating: honours })
  courses.forEach((course, i) => {
    if (courses.indexOf(course) < i) add('carried_course_twice', `carried_courses.${i}.course_id`)
  })
  const { order, per_course, in_all } = rules.grace
  if (new Set(order).size < order.length) add('grace_order_twice', 'grace_order')
  if (in_all !== null && in_all < per_course) add('grace_limit', 'grace_in_all')
  return problems
}
