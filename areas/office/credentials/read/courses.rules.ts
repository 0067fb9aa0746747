import { isObject, listed, textOf } from '../verify/values.rules.ts'
import type { JsonObject } from '../verify/values.rules.ts'

/** A course as a credential or ELMO tells of it. */
export interface FoundCourse {
  readonly code: string
  readonly name: string
  readonly name_local: string | null
  /** Credits there. */
  readonly credit_hours: number
  readonly grade: string | null
  /** The day on which it was passed. */
  readonly date: string | null
}
/** Courses that are read of one file at most: as many as one transfer takes. */
export const MOST_FOUND_COURSES = 100

const numberIn = (value: unknown): number => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) && number >= 0 && number <= 99 ? number : 0
}
const short = (text: string, most: number): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, most)
const dayIn = (value: unknown): string | null => /^\d{4}-\d\d-\d\d/.exec(String(value ?? ''))?.[0] ?? null

/** The courses of a credential or of the credentials in a presentation: results with a code or credits, or achievements that are courses. */
export function coursesOfCredential(document: JsonObject): FoundCourse[] {
  const inside = listed(document.verifiableCredential).filter(isObject)
  if (inside.length) return inside.flatMap(coursesOfCredential).slice(0, MOST_FOUND_COURSES)
  return listed(document.credentialSubject).filter(isObject).flatMap(coursesOfSubject).slice(0, MOST_FOUND_COURSES)
}

function coursesOfSubject(subject: JsonObject): FoundCourse[] {
  const achievement = isObject(subject.achievement) ? subject.achievement : {}
  const descriptions = new Map(
    listed(achievement.resultDescription)
      .filter(isObject)
      .map((one) => [one.id, one]),
  )
  const results = listed(subject.result).filter(isObject)
  if (achievement.achievementType === 'Course') {
    const grade = results.map((one) => textOf(one.value)).find((one) => one !== null)
    return [
      {
        code: short(textOf(achievement.humanCode) ?? '', 40),
        name: short(textOf(achievement.name) ?? '', 200),
        name_local: null,
        credit_hours: numberIn(subject.creditsEarned ?? achievement.creditsAvailable),
        grade: grade === undefined ? null : short(grade, 20),
        date: dayIn(subject.activityEndDate),
      },
    ]
  }
  return results.flatMap((result) => {
    const name = textOf(descriptions.get(result.resultDescription)?.name)
    // What was failed counts nowhere, and what has no credits is no course.
    if (result.numberOfCredits === undefined || result.status === 'Failed') return []
    const grade = textOf(result.value)
    return [
      {
        code: short(textOf(result.courseCode) ?? '', 40),
        name: short(name ?? '', 200),
        name_local: null,
        credit_hours: numberIn(result.numberOfCredits),
        grade: grade === null ? null : short(grade, 20),
        date: dayIn(result.endDate),
      },
    ]
  })
}

/** What is read of an element, without saying which program reads XML. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly XmlElement[]
}
/** The courses of an ELMO document: what consists of nothing else, and was not failed. */
export function coursesOfElmo(root: XmlElement): FoundCourse[] {
  const of = (element: XmlElement, name: string) => element.children.filter((one) => one.name === name)
  const found: FoundCourse[] = []
  const visit = (specification: XmlElement): void => {
    const parts = of(specification, 'hasPart').flatMap((part) => of(part, 'learningOpportunitySpecification'))
    for (const part of parts) visit(part)
    const kind = of(specification, 'type')[0]?.text
    const [instance] = of(specification, 'specifies').flatMap((one) => of(one, 'learningOpportunityInstance'))
    if (parts.length || kind === 'Degree Programme' || !instance) return
    const status = of(instance, 'status')[0]?.text
    if (status === 'failed' || status === 'in-progress') return
    const titles = of(specification, 'title')
    const english = titles.find((one) => one.attributes['xml:lang'] === 'en') ?? titles[0]
    const arabic = titles.find((one) => one.attributes['xml:lang'] === 'ar')
    const identifiers = of(specification, 'identifier')
    const code = identifiers.find((one) => one.attributes.type === 'local') ?? identifiers[0]
    const grade = of(instance, 'resultLabel')[0]?.text
    found.push({
      code: short(code?.text ?? '', 40),
      name: short(english?.text ?? '', 200),
      name_local: arabic ? short(arabic.text, 200) : null,
      credit_hours: numberIn(of(instance, 'credit').flatMap((one) => of(one, 'value'))[0]?.text),
      grade: grade ? short(grade, 20) : null,
      date: dayIn(of(instance, 'date')[0]?.text),
    })
  }
  for (const report of of(root, 'report')) for (const one of of(report, 'learningOpportunitySpecification')) visit(one)
  return found.slice(0, MOST_FOUND_COURSES)
}
