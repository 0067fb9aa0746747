import { IconAlertTriangle, IconBan } from '@tabler/icons-react'

/** How bad it is. */
export const PlanSign = ({ severity }: { severity: 'error' | 'warning' }) =>
  severity === 'error' ? <IconBan size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />
