import { keepPreviousData } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import { IconChevronRight } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { Bdi } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { createStore } from '#kit/web/store.ts'
import { ROOT } from '../entry.contract.ts'
import { treeCalls } from '../tree/tree.contract.ts'
import css from './archive.module.css'
import { KindIcon } from './kinds.web.tsx'
import type { ShownEntry } from './kinds.web.tsx'

type Folder = Pick<ShownEntry, 'id' | 'name' | 'name_local' | 'inherits' | 'children'>
/** What a folder takes that is carried onto it. */
export type CarriedOnto = (folder: Pick<ShownEntry, 'id' | 'name' | 'name_local'>) => {
  onDragOver: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
}
interface Shared {
  /** The folder that is shown; 0: none. */
  readonly at: number
  readonly go: (folder: number) => void
  readonly carriedOnto: CarriedOnto
}

/** Folders whose folders are shown; kept while somebody looks at other screens. */
const opened = createStore<ReadonlySet<number>>(new Set([ROOT]))
const turn = (id: number, on: boolean): void =>
  opened.set((all) => {
    if (all.has(id) === on) return all
    const next = new Set(all)
    if (on) next.add(id)
    else next.delete(id)
    return next
  })

/** A folder, and the folders in it when it is opened: they are fetched then. */
function Branch({ folder, level, shared }: { folder: Folder; level: number; shared: Shared }) {
  const t = useT('archive')
  const isOpen = opened.use().has(folder.id)
  const { most, more } = useMost(200, MOST_OF_PAGE)
  const body = { parent_id: folder.id, kind: 'folder' as const, perPage: most }
  const { data } = useCall(treeCalls.listArchive, { body }, { enabled: isOpen, placeholderData: keepPreviousData })
  const folders = data?.data ?? []
  const leaf = data ? folders.length === 0 : folder.children === 0
  const { at, go, carriedOnto } = shared
  return (
    <li role="none">
      <div
        role="treeitem"
        tabIndex={at === folder.id || (at === 0 && level === 1) ? 0 : -1}
        className={css.branch}
        style={{ paddingInlineStart: `${(level - 1) * 14 + 4}px` }}
        data-folder={folder.id}
        aria-level={level}
        aria-selected={at === folder.id}
        aria-expanded={leaf ? undefined : isOpen}
        onClick={() => go(folder.id)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          go(folder.id)
        }}
        {...carriedOnto(folder)}
      >
        <span
          className={css.twist}
          data-open={isOpen || undefined}
          data-leaf={leaf || undefined}
          onClick={(event) => {
            event.stopPropagation()
            turn(folder.id, !isOpen)
          }}
          aria-hidden
        >
          <IconChevronRight size={14} />
        </span>
        <KindIcon entry={{ kind: 'folder', ext: null, inherits: folder.inherits || folder.id === ROOT }} />
        <Bdi className={css.branchName}>{nameOf(folder)}</Bdi>
      </div>
      {isOpen && folders.length > 0 && (
        <ul role="group" aria-label={t('folders_in', { name: nameOf(folder) })}>
          {folders.map((one) => (
            <Branch key={one.id} folder={one} level={level + 1} shared={shared} />
          ))}
        </ul>
      )}
      {isOpen && data && <MoreRows shown={folders.length} total={data.meta.count} onMore={more} />}
    </li>
  )
}

/** Up and down go through what is shown; forwards opens, backwards closes and goes to the folder around. */
function byKeys(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const i = items.findIndex((item) => item === document.activeElement)
  const item = items[i]
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return
  const rightToLeft = getComputedStyle(item).direction === 'rtl'
  const [forwards, backwards] = rightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const levelOf = (one: HTMLElement) => Number(one.getAttribute('aria-level'))
  const around = items.slice(0, i).findLast((one) => levelOf(one) < levelOf(item))
  const isOpen = item.getAttribute('aria-expanded')
  const id = Number(item.dataset['folder'])
  let next: HTMLElement | undefined
  if (event.key === 'ArrowDown') next = items[i + 1]
  else if (event.key === 'ArrowUp') next = items[i - 1]
  else if (event.key === 'Home') next = items[0]
  else if (event.key === 'End') next = items.at(-1)
  else if (event.key === forwards) {
    if (isOpen === 'false') turn(id, true)
    else if (isOpen === 'true') next = items[i + 1]
  } else if (event.key === backwards) {
    if (isOpen === 'true' && id !== ROOT) turn(id, false)
    else next = around
  } else return
  event.preventDefault()
  next?.focus()
}

/** The tree of folders beside the list. `path`: the folders around the one that is shown, which stand open. */
export function Folders({
  path,
  ...shared
}: Shared & { readonly path: readonly { readonly id: number }[] | undefined }) {
  const t = useT('archive')
  const way = path?.map(({ id }) => id).join()
  useEffect(() => {
    for (const id of way?.split(',') ?? []) if (id) turn(Number(id), true)
  }, [way])
  const root = { id: ROOT, name: t('archive'), name_local: t('archive'), inherits: true, children: 1 }
  return (
    <ul role="tree" aria-label={t('folders')} className={css.tree} onKeyDown={byKeys}>
      <Branch folder={root} level={1} shared={shared} />
    </ul>
  )
}
