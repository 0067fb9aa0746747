import { useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { act, notify } from '#kit/web/feedback/index.ts'
import { moved } from '#kit/web/fields/reorder.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { contentCalls } from '../content/content.contract.ts'
import { ROOT } from '../entry.contract.ts'
import { treeCalls } from '../tree/tree.contract.ts'
import { putClipboard, useClipboard } from './clipboard.web.ts'
import type { ShownEntry, WholeEntry } from './kinds.web.tsx'
import { CARRIED } from './rows.web.tsx'
import type { RowActions } from './rows.web.tsx'

export const ENTRIES_PER_PAGE = 200

export type Dialogue =
  | { readonly is: 'name'; readonly kind: 'folder' | 'page'; readonly entry?: ShownEntry }
  | { readonly is: 'place'; readonly entries: readonly ShownEntry[]; readonly copies: boolean }
  | { readonly is: 'access'; readonly entry: WholeEntry }

interface Asked {
  readonly parent_id: number
  readonly search: string
  readonly page: number
  readonly perPage: number
  readonly removed: boolean
}
/** Entries of a folder, or of the recycle bin. */
function useFolder(body: Asked) {
  return useCall(
    treeCalls.listArchive,
    { body },
    {
      // While the next page or another search comes, not while another folder does: what is done would be done there.
      placeholderData: (before, query) => {
        const { body: then } = (query?.queryKey[2] ?? {}) as { body?: Asked }
        return then?.parent_id === body.parent_id && then.removed === body.removed ? before : undefined
      },
    },
  )
}

/** Where one is in the archive, what is chosen there, and what is done with it. */
export function useArchive() {
  const t = useT('archive')
  const [address, setAddress] = useSearchParams()
  const at = Number(address.get('folder')) || ROOT
  const bin = address.has('bin')
  const search = address.get('search') ?? ''
  const page = Number(address.get('page')) || 1
  const { data, error, refetch } = useFolder({ parent_id: at, search, page, perPage: ENTRIES_PER_PAGE, removed: bin })
  const change = useChange('/archive')
  const uploads = useChange('/archive')
  const [order, setOrder] = useState<readonly number[] | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [shown, setShown] = useState<number | null>(null)
  const [dialogue, setDialogue] = useState<Dialogue | null>(null)
  const clipboard = useClipboard()
  /** The one from which a range is chosen. */
  const last = useRef<number | null>(null)

  const rows = data?.data ?? []
  const entries = order ? order.flatMap((id) => rows.find((row) => row.id === id) ?? []) : rows
  const adds = !bin && (data?.folder.abilities.includes('add') ?? false)
  const some = entries.filter(({ id }) => chosen.has(id))
  const close = () => {
    setDialogue(null)
    change.forget()
  }
  const go = (folder: number) => {
    setChosen(new Set())
    setShown(null)
    setOrder(null)
    setAddress(folder === ROOT ? {} : { folder: String(folder) })
  }
  const move = (folder: Pick<ShownEntry, 'id' | 'name' | 'name_local'>, ids: readonly number[], back = at) => {
    setChosen(new Set())
    void act({
      go: () => change.send(treeCalls.moveArchive, { params: { id: folder.id }, body: { ids: [...ids] } }),
      done: () => t('moved_done', { count: ids.length, name: nameOf(folder) }),
      ...(!search && {
        undo: () => change.send(treeCalls.moveArchive, { params: { id: back }, body: { ids: [...ids] } }),
      }),
    })
  }
  const actions: RowActions = {
    open: (entry) => (entry.kind === 'folder' && !bin ? go(entry.id) : setShown(entry.id)),
    rename: (entry) => setDialogue({ is: 'name', kind: 'folder', entry }),
    place: (list, copies) => setDialogue({ is: 'place', entries: list, copies }),
    download: (entry) =>
      void act({
        go: () =>
          entry.kind === 'folder'
            ? download(contentCalls.downloadFiles, { params: { id: entry.id }, body: {} })
            : download(contentCalls.downloadArchive, { params: { id: entry.id }, query: {} }),
        done: () => null,
      }),
    remove: (list) =>
      void act({
        go: async () => {
          for (const { id } of list) await change.send(treeCalls.removeArchive, { params: { id } })
          setChosen(new Set())
          setShown(null)
        },
        done: () => t('removed_done', { count: list.length }),
        undo: async () => {
          for (const { id } of list) await change.send(treeCalls.restoreArchive, { params: { id } })
        },
      }),
    restore: (entry) =>
      void act({
        go: () => change.send(treeCalls.restoreArchive, { params: { id: entry.id } }),
        done: () => t('restored_done', { name: nameOf(entry) }),
      }),
    moveInto: move,
    purge: (list) =>
      void act({
        ask: {
          title: t('purge_title', { count: list.length }),
          consequence: t('purge_text'),
          action: t('purge'),
          danger: true,
        },
        go: async () => {
          const { data: gone } = await change.send(treeCalls.emptyArchive, { body: { ids: list.map(({ id }) => id) } })
          setChosen(new Set())
          setShown(null)
          return gone.count
        },
        done: (count) => t('purged_done', { count }),
      }),
    carry: (list, cut) => {
      putClipboard({ entries: list, cut })
      notify.done(t(cut ? 'cut_done' : 'copied_done', { count: list.length }))
    },
    paste: () => void paste(),
  }
  const paste = async () => {
    if (!clipboard || !adds) return
    const { entries: list, cut } = clipboard
    const ids = list.map(({ id }) => id)
    if (cut) putClipboard(null)
    if (cut) return move(data!.folder, ids, list[0]!.parent_id ?? undefined)
    await act({
      go: () => change.send(treeCalls.pasteArchive, { params: { id: at }, body: { ids } }),
      done: () => t('pasted_done', { count: ids.length }),
    })
  }
  const empty = () =>
    act({
      ask: {
        title: t('empty_bin_title'),
        consequence: t('empty_bin_text', { count: data?.meta.count ?? 0 }),
        action: t('empty_bin_action'),
        danger: true,
      },
      go: async () => {
        let count = 0
        for (let left = 1; left > 0;) {
          const { data: gone } = await change.send(treeCalls.emptyArchive, { body: {} })
          count += gone.count
          left = gone.count ? gone.left : 0
        }
        setShown(null)
        return count
      },
      done: (count) => t('purged_done', { count }),
    })
  const choose = (id: number, on: boolean, range = false) => {
    const places = [last.current, id].map((one) => entries.findIndex((entry) => entry.id === one))
    const [from, to] = range && places[0] !== -1 ? places.toSorted((a, b) => a - b) : [places[1], places[1]]
    last.current = id
    setChosen((all) => {
      const next = new Set(all)
      for (const entry of entries.slice(from, to! + 1))
        if (on) next.add(entry.id)
        else next.delete(entry.id)
      return next
    })
  }
  const reorder = async (from: number, to: number) => {
    const next = moved(
      entries.map(({ id }) => id),
      from,
      to,
    )
    setOrder(next)
    await change.go(() => change.send(treeCalls.orderArchive, { body: { parent_id: at, ids: next } }))
    setOrder(null)
  }
  /** Opens what was made of a ZIP, where somebody still looks at the folder it was sent into. */
  const showMade = (made: number) => {
    if ((Number(new URLSearchParams(window.location.search).get('folder')) || ROOT) === at) go(made)
  }
  const carriedOnto = (folder: Pick<ShownEntry, 'id' | 'name' | 'name_local'>) => ({
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(CARRIED)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const ids = event.dataTransfer.getData(CARRIED)
      if (!ids) return
      event.preventDefault()
      move(folder, JSON.parse(ids) as number[])
    },
  })
  return {
    at,
    bin,
    search,
    page,
    setAddress,
    data,
    error,
    refetch,
    change,
    uploads,
    rows,
    entries,
    adds,
    chosen,
    setChosen,
    some,
    shown,
    setShown,
    dialogue,
    setDialogue,
    close,
    go,
    actions,
    clipboard,
    paste,
    empty,
    choose,
    reorder,
    showMade,
    carriedOnto,
  }
}
export type Archive = ReturnType<typeof useArchive>
