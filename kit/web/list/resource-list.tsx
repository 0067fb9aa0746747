import type { Fields } from '#kit/contract/field.ts'
import { useMemo } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { IconArrowBackUp, IconExternalLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { ApiError } from '../api/error.ts'
import { refresh, useChange } from '../api/index.ts'
import { inSheets } from '#kit/contract/in-sheets.ts'
import type { Problem } from '#kit/contract/schema.ts'
import { useMe } from '../auth/index.ts'
import { Problems, alert, closeDialogs, notify } from '../feedback/index.ts'
import { calledIn } from '../fields/called.ts'
import { callsOf } from '../fields/calls-of.ts'
import type { ListParts, ResourceWeb } from '../fields/resource-web.ts'
import { problemText, useLabel, useT } from '../i18n/index.ts'
import { addressOfRecord, fillPath } from '../router/index.ts'
import type { BulkAction } from './bulk.tsx'
import { resourceColumns } from './columns.ts'
import type { AnyRow } from './columns.ts'
import type { RowAction } from './row-action.ts'
import { ListScreen } from './list-screen.tsx'

/** What a row of a resource is called where it stands alone. */
const useCalled = (web: ResourceWeb): ((row: AnyRow) => string) => {
  const say = useLabel()
  return (row) => calledIn(web.resource, row, say, web.list?.rowName)
}

/** Removes and restores rows of a resource, with Undo. */
export function useRemoving(web: ResourceWeb) {
  const { send } = useChange()
  const t = useT('kit-screens')
  const called = useCalled(web)
  const client = useQueryClient()
  const { resource: r } = web
  const calls = callsOf(r)
  const again = () => refresh(client, r.path)
  const restore = async (ids: readonly number[]) => {
    for (const id of ids) await send(calls.restore!, { params: { id } })
    await again()
  }
  return {
    remove: async (row: AnyRow) => {
      await send(calls.remove!, { params: { id: row.id } })
      await again()
      const text = t('removed', { name: called(row) })
      if (calls.restore) notify.undo(text, () => restore([row.id]))
      else notify.done(text)
    },
    restore: async (row: AnyRow) => {
      await restore([row.id])
      notify.done(t('restored', { name: called(row) }))
    },
    restoreAll: restore,
  }
}

/** Edit, remove and restore as a row's abilities allow, and what the resource adds. */
export function useRowActions(web: ResourceWeb): (row: AnyRow) => RowAction[] {
  const t = useT('kit-screens')
  const called = useCalled(web)
  const { resource: r } = web
  const calls = callsOf(r)
  const me = useMe()
  const { remove, restore } = useRemoving(web)
  return (row) => {
    const able = row.abilities as readonly string[] | undefined
    const refused = row.refused as Readonly<Record<string, Problem>> | undefined
    const may = (ability: string, permission: typeof r.permissions.edit) =>
      refused?.[ability] !== undefined || (able ? able.includes(ability) : permission !== null && me.may(permission))
    /** Shown, but not to be chosen: with the reason. */
    const blocked = (ability: string) => {
      const problem = refused?.[ability]
      return problem && { disabled: problemText(problem) }
    }
    const show =
      r.screens.show && r.permissions.show && me.may(r.permissions.show)
        ? addressOfRecord(r.name, 'show', row.id)
        : null
    const edit =
      r.screens.edit && calls.update && !row.removed && may('edit', r.permissions.edit)
        ? fillPath(r.screens.edit, { id: row.id })
        : null
    const attempt = (work: Promise<unknown>) =>
      void work.catch((error: unknown) => {
        // One sentence tells one reason. More of them, with where each leads, are read in a dialog.
        if (!(error instanceof ApiError) || error.errors.length < 2) return notify.error(error)
        return alert({
          title: t('not_done', { name: called(row) }),
          text: <Problems error={error} onLeave={closeDialogs} />,
        })
      })
    return [
      ...(show ? [{ key: 'open', label: t('open'), icon: <IconExternalLink size={15} />, href: show }] : []),
      ...(edit
        ? [{ key: 'edit', label: t('edit'), icon: <IconPencil size={15} />, href: edit, ...blocked('edit') }]
        : []),
      ...(calls.restore && row.removed && may('restore', r.permissions.restore)
        ? [
            {
              key: 'restore',
              label: t('restore'),
              icon: <IconArrowBackUp size={15} />,
              onSelect: () => attempt(restore(row)),
              ...blocked('restore'),
            },
          ]
        : []),
      ...(calls.remove && !row.removed && may('remove', r.permissions.remove)
        ? [
            {
              key: 'remove',
              label: t('remove'),
              icon: <IconTrash size={15} />,
              tone: 'refused' as const,
              onSelect: () => attempt(remove(row)),
              ...blocked('remove'),
            },
          ]
        : []),
    ]
  }
}

/** What a panel says of a record that is added from it: of which other record it is. */
const saidBy = (r: ResourceWeb['resource'], fixed: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fixed).flatMap(([name, value]) => {
      const [one, ...more] = [value].flat()
      const said = r.fields[name]?.kind === 'lookup' && !more.length && typeof one === 'number'
      return said && !r.screens.add!.includes(`:${name}`) ? [[name, String(one)]] : []
    }),
  )

const noParts = (): ListParts<never> => ({})

/**
 * The list screen of a resource. What differs comes from `resourceWeb(resource, { list: … })`.
 * Removing a resource that cannot be restored asks first.
 */
export default function ResourceList({
  web,
  page = true,
  fixed,
}: {
  web: ResourceWeb
  page?: boolean
  fixed?: Readonly<Record<string, unknown>>
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const me = useMe()
  const { resource: r } = web
  const calls = callsOf(r)
  const list = web.list
  const columns = useMemo(() => {
    // What only some read is no column, filter or order to others.
    const generic = resourceColumns(r)
      .filter((c) => !r.fields[c.key] || me.reads(r.fields[c.key]!))
      .map((c) => {
        const render = web.cells?.[c.key]
        return render && c.field
          ? {
              ...c,
              cell: (row: AnyRow, show: Parameters<typeof render>[0]['show']) =>
                render({ value: row[c.key], field: c.field!, name: c.key, row, show }),
            }
          : c
      })
    return list?.columns ? list.columns(generic) : generic
  }, [r, list, web.cells, me])
  const filters = useMemo(() => {
    const all: Fields = list?.filters ?? Object.fromEntries(r.list.filters.map((name) => [name, r.fields[name]!]))
    return Object.fromEntries(Object.entries(all).filter(([, field]) => me.reads(field)))
  }, [r, list, me])
  const generic = useRowActions(web)
  // oxlint-disable-next-line react/hooks -- a list shows one resource as long as it stands
  const parts = (list?.useParts ?? noParts)() as unknown as ListParts<AnyRow>
  const actions = (row: AnyRow): RowAction[] => {
    const own = parts.actions?.(row) ?? []
    // What is done with a record stands between opening it and taking it away.
    const last = (action: RowAction) => action.key === 'remove' || action.key === 'restore'
    const all = generic(row)
    return [...all.filter((action) => !last(action)), ...own, ...all.filter(last)]
  }
  const called = useCalled(web)
  const { restoreAll } = useRemoving(web)
  const { send } = useChange()
  const may = (permission: typeof r.permissions.edit) => permission !== null && me.may(permission)
  const bulk: BulkAction[] = [
    ...(parts.bulk ?? []),
    ...(calls.remove && may(r.permissions.remove)
      ? [
          {
            key: 'remove',
            label: t('remove'),
            icon: <IconTrash size={14} />,
            tone: 'refused' as const,
            confirm: (count: number) => ({
              title: t('remove_many', { count }),
              consequence: calls.restore ? t('remove_soft') : t('remove_hard'),
              action: t('remove'),
            }),
            each: (id: number) => send(calls.remove!, { params: { id } }),
            ...(calls.restore && { undo: restoreAll }),
          },
        ]
      : []),
  ]
  const add =
    r.screens.add && calls.create && may(r.permissions.add) ? fillPath(r.screens.add, fixed, saidBy(r, fixed)) : null
  return (
    <>
      <ListScreen
        call={calls.list!}
        title={r.many}
        columns={columns}
        filters={filters}
        fixed={fixed ?? parts.fixed}
        wait={!fixed && parts.wait}
        order={r.list.order}
        perPage={list?.perPage}
        searchable={r.list.search.length > 0}
        rowName={called}
        rowHref={(row) =>
          list?.rowHref
            ? (list.rowHref as (row: AnyRow) => string | null)(row)
            : r.screens.show && may(r.permissions.show)
              ? addressOfRecord(r.name, 'show', row.id)
              : r.screens.edit && may(r.permissions.edit)
                ? fillPath(r.screens.edit, { id: row.id })
                : null
        }
        actions={actions}
        bulk={bulk}
        main={
          parts.main !== undefined
            ? parts.main
            : add
              ? { key: 'add', label: say(r.adding), icon: <IconPlus size={16} aria-hidden />, href: add }
              : null
        }
        menu={parts.menu}
        exports={
          calls.export && may(r.permissions.export)
            ? {
                xlsx: calls.export,
                pdf: calls.exportPdf,
                columns: Object.entries(inSheets(r).fields)
                  .filter(([, field]) => !field.noExport)
                  .map(([key, field]) => ({ key, label: field.label })),
              }
            : undefined
        }
        imports={
          calls.import && calls.preview && calls.template && may(r.permissions.import)
            ? {
                template: calls.template,
                preview: calls.preview,
                lines: calls.importLines!,
                mend: calls.importMend!,
                save: calls.import,
                kind: `import/${r.name}`,
              }
            : undefined
        }
        removed={r.softDelete && calls.restore !== undefined}
        // What is narrowed already is not narrowed otherwise.
        views={list?.views?.filter(
          (view) => !view.of || (me.reads(r.fields[view.of]!) && fixed?.[view.of] === undefined),
        )}
        empty={list?.empty && { title: say(list.empty.title), text: list.empty.text && say(list.empty.text) }}
        above={fixed ? undefined : parts.above}
        beside={fixed ? undefined : parts.beside}
        name={r.name}
        page={page}
        path={r.screens.list}
        onKey={{ edit: (row) => actions(row).find((a) => a.key === 'edit')?.href ?? null }}
      />
      {parts.dialogs}
    </>
  )
}
