import type { Access } from './call.ts'
import type { Menu } from './resource.ts'
import type { Label } from './words.ts'

/** A record that a user may have besides the account: as a student or an instructor, found by `user.{kind}_id`. */
export type OwnRecord = 'student' | 'instructor'

/** A screen of the application: where it lives, who may open it, what it is called. Its component is loaded on demand. */
export interface Screen<P extends string = string> {
  /** Route; `:id` is a parameter, `:id?` an optional one. */
  readonly path: P
  readonly permission: Access
  /**
   * A screen of the reader's own study or teaching: opened by people who have such a record, whatever else they may do.
   * An administrator who neither studies nor teaches has no timetable of the own.
   */
  readonly of?: readonly OwnRecord[]
  readonly title: Label
  /** What it is called to users of a type (3: students), who see their own there, where that differs. */
  readonly titleOfType?: Readonly<Record<number, Label>>
  readonly menu?: Menu
  /** Path of the screen above it in the breadcrumb. */
  readonly parent?: string
  /** The same for users of a type (1 instructor, 2 employee, 3 student, 4 applicant), where it differs. */
  readonly parentOfType?: Readonly<Record<number, string>>
  /** The kind of record that this screen opens by its `:id`, by the name of its lookup: so that the palette finds it. */
  readonly finds?: string
  /**
   * Readable without a line: its code is fetched ahead onto a phone, and its calls are `kept`. What it asks for is fetched
   * ahead as well where the area's web side says so (`ahead`).
   */
  readonly offline?: boolean
  /** full: without menu and bars (sign-in, error pages). */
  readonly layout?: 'full'
  /**
   * Opened by people who have no account and no need of the rest of the application: whoever is not signed in gets a page
   * of its own for it, without shell, router and tables (`apps/build/light.ts`). Its component is named in the area's
   * `NAME.light.web.tsx`. Here stand the addresses of calls that it asks at once, with places of its path in them
   * (`/admission/{id}/{secretKey}`): the browser fetches the answers together with the screen.
   */
  readonly light?: readonly string[]
}

/** Declares a screen. */
export const screen = <const P extends string>(path: P, rest: Omit<Screen<P>, 'path'>): Screen<P> => ({ path, ...rest })
