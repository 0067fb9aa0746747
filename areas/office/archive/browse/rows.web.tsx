import { useState } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import { ActionIcon, Checkbox, Menu, VisuallyHidden } from '@mantine/core'
import { IconDots, IconGripVertical } from '@tabler/icons-react'
import { Bdi, Status } from '#kit/web/feedback/index.ts'
import { useReorder } from '#kit/web/fields/reorder.ts'
import { formatBytes, formatDate, nameOf, useT } from '#kit/web/i18n/index.ts'
import css from './archive.module.css'
import { KindIcon } from './kinds.web.tsx'
import type { ShownEntry } from './kinds.web.tsx'

/** What is carried from the list onto a folder. */
export const CARRIED = 'application/x-archive-entries'

export interface RowActions {
  open(entry: ShownEntry): void
  rename(entry: ShownEntry): void
  place(entries: readonly ShownEntry[], copies: boolean): void
  download(entry: ShownEntry): void
  remove(entries: readonly ShownEntry[]): void
  restore(entry: ShownEntry): void
  purge(entries: readonly ShownEntry[]): void
  /** Keeps them to be pasted elsewhere. */
  carry(entries: readonly ShownEntry[], cut: boolean): void
  paste(): void
  moveInto(folder: Pick<ShownEntry, 'id' | 'name' | 'name_local'>, ids: readonly number[]): void
}

function RowMenu({ entry, actions }: { entry: ShownEntry; actions: RowActions }) {
  const t = useT('archive')
  const may = (ability: string) => entry.abilities.includes(ability)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={t('actions_of', { name: nameOf(entry) })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may('restore') ? (
          <>
            <Menu.Item onClick={() => actions.restore(entry)}>{t('restore')}</Menu.Item>
            {may('purge') && (
              <Menu.Item color="red" onClick={() => actions.purge([entry])}>
                {t('purge')}
              </Menu.Item>
            )}
          </>
        ) : (
          <>
            {may('download') && <Menu.Item onClick={() => actions.download(entry)}>{t('download')}</Menu.Item>}
            {may('edit') && <Menu.Item onClick={() => actions.rename(entry)}>{t('rename')}</Menu.Item>}
            {may('move') && <Menu.Item onClick={() => actions.place([entry], false)}>{t('move')}</Menu.Item>}
            {may('copy') && <Menu.Item onClick={() => actions.place([entry], true)}>{t('copy')}</Menu.Item>}
            {may('move') && <Menu.Item onClick={() => actions.carry([entry], true)}>{t('cut')}</Menu.Item>}
            {may('copy') && <Menu.Item onClick={() => actions.carry([entry], false)}>{t('copy_to_paste')}</Menu.Item>}
            {may('remove') && (
              <Menu.Item color="red" onClick={() => actions.remove([entry])}>
                {t('remove')}
              </Menu.Item>
            )}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface RowsProps {
  readonly entries: readonly ShownEntry[]
  /** Their order can be changed. */
  readonly ordered: boolean
  readonly chosen: ReadonlySet<number>
  readonly shown: number | null
  readonly actions: RowActions
  /** `range`: with all between it and the one chosen before. */
  readonly onChoose: (id: number, on: boolean, range?: boolean) => void
  readonly onChooseAll: (on: boolean) => void
  readonly onOrder: (from: number, to: number) => void
}

/** Arrows go through the names, space chooses; what one does often has its key. */
function pressKey(
  event: KeyboardEvent<HTMLElement>,
  { entries, chosen, actions, onChoose, onChooseAll }: Omit<RowsProps, 'ordered' | 'shown' | 'onOrder'>,
): void {
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-name]')]
  const i = names.findIndex((name) => name === document.activeElement)
  const entry = entries[i]
  if (!entry) return
  const those = chosen.has(entry.id) ? entries.filter(({ id }) => chosen.has(id)) : [entry]
  const may = (ability: string) => those.every(({ abilities }) => abilities.includes(ability))
  const command = event.ctrlKey || event.metaKey
  const go = (place: number) => () => names[place]?.focus()
  const work = command
    ? {
        a: () => onChooseAll(true),
        x: may('move') ? () => actions.carry(those, true) : undefined,
        c: may('copy') ? () => actions.carry(those, false) : undefined,
        v: () => actions.paste(),
      }[event.code.replace('Key', '').toLowerCase()]
    : {
        ArrowDown: go(i + 1),
        ArrowUp: go(i - 1),
        Home: go(0),
        End: go(names.length - 1),
        ' ': () => onChoose(entry.id, !chosen.has(entry.id), event.shiftKey),
        F2: may('edit') ? () => actions.rename(entry) : undefined,
        Delete: may('remove') ? () => actions.remove(those) : may('purge') ? () => actions.purge(those) : undefined,
        Escape: () => onChooseAll(false),
      }[event.key]
  if (!work) return
  event.preventDefault()
  work()
}

/** The name of an entry, by which it is opened and carried onto a folder. */
function Name({ entry, carried, onOpen }: { entry: ShownEntry; carried: readonly number[]; onOpen: () => void }) {
  const t = useT('archive')
  const name = nameOf(entry)
  return (
    <button
      type="button"
      data-name=""
      className={css.open}
      draggable={entry.abilities.includes('move')}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData(CARRIED, JSON.stringify(carried))
      }}
      onClick={onOpen}
    >
      <KindIcon entry={entry} />
      <span>
        <Bdi>{name}</Bdi>
        {entry.path && entry.path.length > 1 && (
          <span className={css.dim}>
            {' '}
            {entry.path
              .slice(1)
              .map((step) => nameOf(step))
              .join(' / ')}
          </span>
        )}
      </span>
      {!entry.inherits && <Status is="limited" label={t('limited')} />}
    </button>
  )
}

/** The entries of a folder: put in order by their handles, carried onto folders by their names. */
export function EntryRows({ entries, ordered, chosen, shown, actions, onChoose, onChooseAll, onOrder }: RowsProps) {
  const t = useT('archive')
  const [told, setTold] = useState('')
  const [into, setInto] = useState<number | null>(null)
  const reorder = useReorder(entries.length, onOrder, (to) =>
    setTold(t('order_told', { place: to + 1, count: entries.length })),
  )
  const all = entries.length > 0 && entries.every(({ id }) => chosen.has(id))
  const byKeys = (event: KeyboardEvent<HTMLElement>) =>
    pressKey(event, { entries, chosen, actions, onChoose, onChooseAll })
  return (
    <>
      <div className={css.head}>
        {ordered && <span className={css.headHandle} />}
        <Checkbox
          size="xs"
          aria-label={t('choose_all')}
          checked={all}
          indeterminate={!all && entries.some(({ id }) => chosen.has(id))}
          onChange={(event) => onChooseAll(event.currentTarget.checked)}
        />
        <span className={css.grow}>{t('name')}</span>
        <span className={css.end}>{t('size')}</span>
        <span className={css.end}>{t(entries[0]?.removed_at ? 'goes' : 'changed')}</span>
        <span className={css.headMenu} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the names in it */}
      <ul className={css.rows} aria-label={t('entries')} onKeyDown={byKeys}>
        {entries.map((entry, i) => {
          const name = nameOf(entry)
          const takes = entry.kind === 'folder' && entry.abilities.includes('add')
          const carried = chosen.has(entry.id) ? [...chosen] : [entry.id]
          const place = reorder.place(i)
          const isOver = (event: DragEvent) => takes && event.dataTransfer.types.includes(CARRIED)
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what is carried by the mouse is moved by the menu too
            <li
              key={entry.id}
              className={css.row}
              {...(ordered && place)}
              data-into={into === entry.id || undefined}
              data-chosen={chosen.has(entry.id) || shown === entry.id || undefined}
              onDragOver={(event) => {
                if (!isOver(event)) return ordered ? place.onDragOver(event) : undefined
                event.preventDefault()
                setInto(entry.id)
              }}
              onDragLeave={() => setInto(null)}
              onDrop={(event) => {
                setInto(null)
                if (!isOver(event)) return ordered ? place.onDrop(event) : undefined
                event.preventDefault()
                event.stopPropagation()
                const ids = JSON.parse(event.dataTransfer.getData(CARRIED)) as number[]
                if (!ids.includes(entry.id)) actions.moveInto(entry, ids)
              }}
            >
              {ordered && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  className={css.handle}
                  aria-label={t('order_handle', { name })}
                  {...reorder.handle(i)}
                >
                  <IconGripVertical size={16} aria-hidden />
                </ActionIcon>
              )}
              <Checkbox
                size="xs"
                aria-label={t('choose', { name })}
                checked={chosen.has(entry.id)}
                onChange={(event) =>
                  onChoose(entry.id, event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)
                }
              />
              <Name entry={entry} carried={carried} onOpen={() => actions.open(entry)} />
              <span className={css.end}>
                {entry.kind === 'folder'
                  ? t('children', { count: entry.children })
                  : entry.size === null
                    ? t('kind_page')
                    : formatBytes(entry.size)}
              </span>
              <span className={css.end}>{formatDate(entry.goes_at ?? entry.updated_at)}</span>
              <RowMenu entry={entry} actions={actions} />
            </li>
          )
        })}
      </ul>
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
    </>
  )
}
