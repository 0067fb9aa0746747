import { ActionIcon, Menu } from '@mantine/core'
import { IconChevronRight, IconDots, IconGripVertical } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useReorder } from '#kit/web/fields/reorder.ts'
import { directionOf, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { requirementLinesOf, type RequirementLine } from './edit.rules.ts'
import css from './requirements.module.css'
import type { Sentences } from './sentences.web.ts'
import type { Requirement } from './tree.rules.ts'

/** What can be done with a line. */
export type TreeAction = 'edit' | 'add' | 'add_inside' | 'up' | 'down' | 'in' | 'out' | 'remove'
export const ACTIONS: readonly TreeAction[] = ['edit', 'add', 'add_inside', 'up', 'down', 'in', 'out', 'remove']

const focusIn = (box: HTMLElement | null, key: string): void =>
  box?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus()

interface TreeProps {
  readonly tree: Requirement
  readonly label: string
  readonly say: Sentences
  /** The line on which one stands. */
  readonly at: string
  readonly onAt: (key: string) => void
  readonly folded: ReadonlySet<string>
  readonly onFold: (key: string, fold: boolean) => void
  /** The line whose form is open, and that form. */
  readonly open?: string | null
  readonly form?: ReactNode
  /** What stands at the end of a line. */
  readonly aside?: (one: Requirement) => ReactNode
  /** What is wrong with a line, by its place. */
  readonly problems?: ReadonlyMap<string, readonly string[]>
  readonly edit?: {
    act: (line: RequirementLine, action: TreeAction) => void
    can: (line: RequirementLine, action: TreeAction) => boolean
    drop: (lines: readonly RequirementLine[], from: number, to: number) => void
    undo: () => void
    redo: () => void
  }
}

/** Requirements as a tree that reads as sentences; with `edit` its lines are moved, changed and removed. */
export function RequirementTree(props: TreeProps) {
  const { tree, label, at, folded, open, form, aside, problems, edit, onAt } = props
  const box = useRef<HTMLUListElement>(null)
  const lines = requirementLinesOf(tree, folded)
  const reorder = useReorder(
    lines.length,
    (from, to) => edit?.drop(lines, from, to),
    () => undefined,
  )
  // A line that was moved or added is drawn at its new place and keeps the focus, unless one is working elsewhere.
  const order = lines.map((line) => line.key).join()
  const before = useRef(order)
  useEffect(() => {
    if (before.current === order) return
    before.current = order
    const active = document.activeElement
    if (!active || active === document.body || box.current?.contains(active)) focusIn(box.current, at)
  }, [order, at])

  const onKey = useTreeKeys(props, lines, box)
  return (
    <ul role="tree" aria-label={label} className={css.tree} ref={box} data-edit={edit ? true : undefined}>
      {lines.map((line, index) => {
        const { one, key } = line
        const holds = 'parts' in one
        const wrong = problems?.get(line.place) ?? []
        const isOpen = open === key
        return (
          <li
            key={key}
            role="treeitem"
            tabIndex={at === key || (index === 0 && !lines.some((other) => other.key === at)) ? 0 : -1}
            className={css.line}
            style={{ '--depth': Math.max(0, line.level - 1) } as CSSProperties}
            data-key={key}
            data-wrong={wrong.length > 0 || undefined}
            aria-level={line.level}
            aria-setsize={line.of}
            aria-posinset={line.index + 1}
            aria-expanded={holds ? !folded.has(key) : undefined}
            aria-selected={at === key}
            // Named by its sentence; where more is seen in it, by all of that.
            aria-labelledby={aside || isOpen ? undefined : `name-${key} says-${key} wrong-${key}`}
            onFocus={() => at !== key && onAt(key)}
            onKeyDown={(event) => onKey(event, line, index)}
            {...(edit ? reorder.place(index) : {})}
          >
            <Row
              props={props}
              line={line}
              wrong={wrong}
              grip={edit && line.above !== null ? reorder.handle(index) : null}
            />
            {isOpen && form}
          </li>
        )
      })}
    </ul>
  )
}

/** What a line says, with the ways to move it and to fold what is beneath it. */
function Row({
  props: { say, at, folded, onFold, aside, edit },
  line,
  wrong,
  grip,
}: {
  props: TreeProps
  line: RequirementLine
  wrong: readonly string[]
  grip: ReturnType<ReturnType<typeof useReorder>['handle']> | null
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const { one, key } = line
  const holds = 'parts' in one
  return (
    <div className={css.row} onDoubleClick={() => edit?.act(line, 'edit')}>
      {grip ? (
        <button type="button" className={css.grip} aria-hidden tabIndex={-1} {...grip}>
          <IconGripVertical size={14} />
        </button>
      ) : null}
      <span
        className={css.twist}
        data-open={!folded.has(key) || undefined}
        data-leaf={!holds || undefined}
        onClick={() => holds && onFold(key, !folded.has(key))}
        aria-hidden
      >
        <IconChevronRight size={14} />
      </span>
      <div className={css.words}>
        <bdi id={`name-${key}`} className={css.name}>
          {nameOf(one, lang) || t('unnamed')}
        </bdi>{' '}
        <span id={`says-${key}`} className={css.says} dir={directionOf(lang)}>
          {say.of(one)}
        </span>
        <div id={`wrong-${key}`}>
          {wrong.map((text, i) => (
            <div key={i} className={css.wrong}>
              {text}
            </div>
          ))}
        </div>
      </div>
      {aside?.(one)}
      {edit && <LineMenu at={at} edit={edit} line={line} />}
    </div>
  )
}

/** What can be done with a line, and by which keys. */
function LineMenu({ at, edit, line }: { at: string; edit: NonNullable<TreeProps['edit']>; line: RequirementLine }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const { one, key } = line
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          tabIndex={at === key ? 0 : -1}
          aria-label={t('actions_of', { name: nameOf(one, lang) || t('unnamed') })}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ACTIONS.filter((action) => edit.can(line, action)).map((action) => (
          <Menu.Item
            key={action}
            color={action === 'remove' ? 'red' : undefined}
            rightSection={action === 'add_inside' ? undefined : <kbd className={css.kbd}>{t(`key_${action}`)}</kbd>}
            onClick={() => edit.act(line, action)}
          >
            {t(`do_${action}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The keys of a tree: along its lines, into and out of what they hold, and with `edit` moving them. */
function useTreeKeys(
  { folded, onFold, onAt, edit }: TreeProps,
  lines: readonly RequirementLine[],
  box: RefObject<HTMLUListElement | null>,
) {
  const lang = useLanguage()
  /** Escape lets the next Tab leave the tree. */
  const leaves = useRef(false)
  return (event: KeyboardEvent<HTMLElement>, line: RequirementLine, index: number): void => {
    if (event.target !== event.currentTarget) return
    const [forwards, backwards] =
      directionOf(lang) === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const go = (key: string | undefined | null) => {
      if (key === undefined || key === null) return
      onAt(key)
      focusIn(box.current, key)
    }
    const { key } = event
    const control = event.ctrlKey || event.metaKey
    const holds = 'parts' in line.one
    const act = (action: TreeAction) => edit?.act(line, action)
    const take = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (key === 'Tab') {
      const action = event.shiftKey ? 'out' : 'in'
      if (leaves.current || !edit?.can(line, action)) return
      take()
      return act(action)
    }
    leaves.current = key === 'Escape'
    if (edit && control && key.toLowerCase() === 'z') {
      take()
      return event.shiftKey ? edit.redo() : edit.undo()
    }
    if (edit && control && key.toLowerCase() === 'y') {
      take()
      return edit.redo()
    }
    if (control) return
    if (event.altKey) {
      const action = ({ ArrowUp: 'up', ArrowDown: 'down', [forwards]: 'in', [backwards]: 'out' } as const)[key]
      if (!edit || !action) return
      take()
      return act(action)
    }
    if (key === 'ArrowDown') go(lines[index + 1]?.key)
    else if (key === 'ArrowUp') go(lines[index - 1]?.key)
    else if (key === 'Home') go(lines[0]?.key)
    else if (key === 'End') go(lines.at(-1)?.key)
    else if (key === forwards) {
      if (holds && folded.has(line.key)) onFold(line.key, false)
      else if (holds) go(lines[index + 1]?.above === line.key ? lines[index + 1]!.key : null)
    } else if (key === backwards) {
      if (holds && line.above !== null && !folded.has(line.key)) onFold(line.key, true)
      else go(line.above)
    } else if (edit && key === 'Enter') act(event.shiftKey ? (line.above === null ? 'add_inside' : 'add') : 'edit')
    else if (edit && key === 'Delete') act('remove')
    else return
    take()
  }
}
