import type { PermissionKey, Subject } from './permissions.contract.ts'

/** The keys of a plain resource, verb by verb, in the order a definition needs them. Apart, so that naming them brings no catalogue along. */
export const crud = <S extends Subject>(subject: S) =>
  ({
    list: `access_${subject}`,
    show: `show_${subject}`,
    add: `add_${subject}`,
    edit: `edit_${subject}`,
    remove: `remove_${subject}`,
    restore: `restore_${subject}`,
    export: `export_${subject}`,
    import: `import_${subject}`,
  }) as const

/** The same of what students ask for: it is asked for and decided, not changed. */
export const asked = (subject: string) =>
  ({
    list: `access_${subject}` as PermissionKey,
    show: `show_${subject}` as PermissionKey,
    add: `add_${subject}` as PermissionKey,
    edit: null,
    remove: null,
    restore: null,
    export: `export_${subject}` as PermissionKey,
    import: null,
  }) as const
