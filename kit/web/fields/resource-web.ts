import type { ComponentType, ReactNode } from 'react'
import type { Access } from '#kit/contract/index.ts'
import type { Fields } from '#kit/contract/field.ts'
import type { Resource, Row } from '#kit/contract/resource.ts'
import type { Label } from '#kit/contract/words.ts'
import type { ConfirmOptions } from '../feedback/dialogs.tsx'
import type { Named } from '../i18n/format.ts'
import type { Column } from '../list/columns.ts'
import type { RowAction } from '../list/row-action.ts'
import type { BulkAction } from '../list/bulk.tsx'
import type { Cell } from './cells.tsx'
import type { FieldInput } from './inputs.tsx'

/** A part of a detail under its own tab (`?tab=key`) or, with `tab: false`, beneath the facts. */
export interface Panel<R> {
  readonly key: string
  readonly title: Label
  /** `false`: beneath the facts; `above`: before them, what is to be done next. */
  readonly tab?: boolean | 'above'
  /** What the record is mostly opened for: its tab stands before that of the facts. */
  readonly first?: boolean
  /** The right that its content asks for: who has it not is not shown the panel. */
  readonly permission?: Access
  /** Shown only to whom it concerns. */
  readonly when?: (row: R) => boolean
  readonly Content: ComponentType<{ readonly row: R }>
}

/** What a row's menu and a detail's menu can do besides edit, remove and restore. */
export type ActionsOf<R> = (row: R) => readonly RowAction[]

/** What a list can do besides the generic, as its hook makes it. */
export interface ListParts<R> {
  readonly actions?: ActionsOf<R>
  /** Before those of the kit. */
  readonly bulk?: readonly BulkAction[]
  /** More in the menu of the title line. */
  readonly menu?: readonly RowAction[]
  /** The one main action, instead of adding. */
  readonly main?: RowAction | null
  /** A control that narrows the list, e.g. to a term: in one line with its tabs and its search where there is room. */
  readonly beside?: ReactNode
  /** Above the list: what is told of all of it. */
  readonly above?: ReactNode
  /** What it narrows to. Inside another record, which narrows it itself, neither counts. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** That is not known yet: nothing is asked. */
  readonly wait?: boolean
  /** Dialogs that the actions open. */
  readonly dialogs?: ReactNode
}

/** What differs from the generic screens, for one resource. Everything is optional: presence overrides. */
export interface ResourceOverrides<Res extends Resource = Resource, R = Row<Res>> {
  readonly list?: {
    /** Columns instead of, or by key in place of, the generic ones. */
    readonly columns?: (generic: readonly Column[]) => readonly Column[]
    /** Filters instead of the definition's. */
    readonly filters?: Fields
    /** Called as a hook by the list: what it can do besides the generic. */
    readonly useParts?: () => ListParts<R>
    /** Where a row leads; its record, else its form, unless told. */
    readonly rowHref?: (row: R) => string | null
    /** Views everybody has, before the saved ones: a name and the query of the address. */
    readonly views?: readonly {
      readonly key: string
      readonly label: Label
      readonly query: string
      /** The field it looks at: a view for those who read it. */
      readonly of?: string
    }[]
    readonly empty?: { readonly title: Label; readonly text?: Label }
    /** What a row is called where it stands alone; its name unless told. */
    readonly rowName?: (row: R) => string
    readonly perPage?: number
  }
  readonly detail?: {
    /** The title of a record without a name of its own. */
    readonly title?: (row: R) => Named | null | undefined
    /** Two or three figures of the identity band. */
    readonly figures?: (row: R) => readonly { readonly label: Label; readonly value: ReactNode }[]
    readonly status?: (row: R) => ReactNode
    /** What stands before the names in the identity band: of a person the photo. */
    readonly Photo?: ComponentType<{ readonly row: R }>
    /** Called as a hook by the detail: what can be done besides edit, remove and restore. */
    readonly useActions?: () => ActionsOf<R>
    /** Called as a hook by the detail: the one main action instead of editing, which then stands in the menu; and its dialogs. */
    readonly useMain?: () => { readonly main: (row: R) => RowAction | null; readonly dialogs?: ReactNode }
    /** The few facts that matter, in the title line instead of the identity band. */
    readonly facts?: (row: R) => readonly { readonly label: Label; readonly value: ReactNode }[]
    readonly panels?: readonly Panel<R>[]
    /** Beneath whatever tab is open: what belongs to all of them. */
    readonly Foot?: ComponentType<{ readonly row: R }>
  }
  readonly form?: {
    /** A field is wide, such as a matrix: the form takes the width of the window. */
    readonly wide?: boolean
    /** Above the form while a record is added. */
    readonly Above?: ComponentType
    /** Beneath the fields while a record is changed: what follows from what is typed (`useFormValue`). */
    readonly Below?: ComponentType<{ readonly row: R }>
    /** Beside the fields where there is room for it; `row` is null while one is added. */
    readonly Aside?: ComponentType<{ readonly row: R | null }>
    /**
     * A hook; what it gives is asked before a record is saved: what is unusual and may be meant. Null: nothing is asked.
     * `row` is null while one is added.
     */
    readonly useAsk?: () => (
      values: Readonly<Record<string, unknown>>,
      row: R | null,
    ) => Promise<Omit<ConfirmOptions, 'go'> | null>
    /** Where a saved record leads; its detail, else the list, unless told. */
    readonly after?: (row: R) => string | null
    readonly initial?: () => Readonly<Record<string, unknown>>
    /** A field is shown, checked and saved only when this holds for what is typed. */
    readonly visible?: Readonly<Record<string, (values: Readonly<Record<string, unknown>>) => boolean>>
  }
  /** Of what is decided: what the line of one in the inbox says, where it is not what the request is for. */
  readonly what?: (row: R) => ReactNode
  /** Of what is decided: under where it stands on the line of its steps, such as since when and until when. */
  readonly Here?: ComponentType<{ readonly row: R }>
  /** Of what is decided: beneath what was asked, in the inbox and for whoever asked. */
  readonly Beneath?: ComponentType<{ readonly row: R }>
  /** Actions that `Beneath` offers itself, with what it asks for: they have no button of their own. */
  readonly takenBeneath?: readonly string[] | ((row: R) => readonly string[])
  /** Of what is decided: whether a field says anything of this one; each does unless told. */
  readonly tells?: (row: R, field: string) => boolean
  /** Own cell or input of a field. */
  readonly cells?: Readonly<Record<string, Cell['render']>>
  readonly inputs?: Readonly<Record<string, FieldInput>>
}

export interface ResourceWeb extends ResourceOverrides<Resource, never> {
  readonly resource: Resource
}

/**
 * What the browser shows of a resource.
 * @example export default resourceWeb(faculty, { detail: { figures: (row) => [...] } })
 */
export const resourceWeb = <Res extends Resource>(resource: Res, overrides: ResourceOverrides<Res> = {}): ResourceWeb =>
  ({ resource, ...overrides }) as unknown as ResourceWeb
