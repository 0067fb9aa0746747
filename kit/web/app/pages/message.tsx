import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './pages.module.css'
import { PublicPage } from './public.tsx'

/** A page that says one thing and offers the next step. */
export function Message({
  icon: Sign,
  title,
  text,
  children,
}: {
  icon: Icon
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <PublicPage as="message" title={title}>
      <Sign size={46} stroke={1.2} aria-hidden className={css.messageIcon} />
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={css.messageActions}>{children}</div>
    </PublicPage>
  )
}
