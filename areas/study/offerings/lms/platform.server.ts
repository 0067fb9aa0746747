/** The seam between offerings and a learning platform, whichever it is. */
import type { Belonging, CourseMember, LmsMove } from './lms.rules.ts'

/** The platform did not answer, or with nonsense: what was asked may have happened. */
export class PlatformDown extends Error {
  override name = 'PlatformDown'
}
/** The platform answered no. */
export class PlatformRefused extends Error {
  override name = 'PlatformRefused'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

export interface CourseThere {
  /** Ours, for ever the same: by it the course is found again. */
  readonly key: string
  readonly short: string
  readonly name: string
  readonly starts: string
  readonly ends: string
}
export interface PersonThere extends Belonging {
  readonly first: string
  readonly last: string
}

/** What every learning platform does here. Each throws `PlatformDown` or `PlatformRefused`. Asking twice does no more than once. */
export interface LearningPlatform {
  readonly name: string
  readonly url: string
  /** Finds or makes a course, and makes it say what it says here. */
  course(of: CourseThere): Promise<{ readonly id: string; readonly address: string; readonly created: boolean }>
  /** The accounts of people there, by their keys: by the key, else by the e-mail address. */
  accounts(people: readonly PersonThere[]): Promise<ReadonlyMap<string, string>>
  /** Makes an account. */
  make(person: PersonThere): Promise<string>
  members(course: string): Promise<readonly CourseMember[]>
  enrol(course: string, people: readonly LmsMove[]): Promise<void>
  remove(course: string, people: readonly LmsMove[]): Promise<void>
}
