import { Button, Menu } from '@mantine/core'
import { Link } from '../router/index.ts'
import type { RowAction } from './row-action.ts'

/** The one main action of a screen. */
export function MainButton({ action, size }: { action: RowAction; size?: 'xs' }) {
  const look = {
    size,
    h: size ? 30 : undefined,
    leftSection: action.icon,
    title: action.disabled,
    color: action.tone === 'refused' ? 'red' : undefined,
    children: action.label,
  }
  // What leads elsewhere is a link: it opens in another tab as well.
  return action.href && !action.disabled ? (
    <Button component={Link} to={action.href} {...look} />
  ) : (
    <Button disabled={Boolean(action.disabled)} onClick={() => action.onSelect?.()} {...look} />
  )
}
/** Actions as the items of a menu. */
export function MenuItems({ actions }: { actions: readonly RowAction[] }) {
  return actions.map((action) => {
    const look = {
      leftSection: action.icon,
      color: action.tone === 'refused' ? 'red' : undefined,
      title: action.disabled,
      children: action.label,
    }
    return action.href && !action.disabled ? (
      <Menu.Item key={action.key} component={Link} to={action.href} {...look} />
    ) : (
      <Menu.Item key={action.key} disabled={Boolean(action.disabled)} onClick={() => action.onSelect?.()} {...look} />
    )
  })
}
