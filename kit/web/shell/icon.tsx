import { ICONS } from 'virtual:icons'
import { IconPoint } from '@tabler/icons-react'

/** An icon that a declaration names. Only the named ones are in the application. */
export function NamedIcon({ name, size = 18 }: { name: string; size?: number }) {
  const Icon = ICONS[name] ?? IconPoint
  return <Icon size={size} stroke={1.6} aria-hidden />
}
