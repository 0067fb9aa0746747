import { IconPlugConnectedX } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useT } from '../i18n/catalogue.ts'
import css from './feedback.module.css'

/** In place of a part of a screen whose code could not be fetched; everything around it stays. */
export function PartFailed({ retry }: { retry: () => void }) {
  const t = useT('kit')
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div ref={card} className={css.partFailed} role="alert">
      <IconPlugConnectedX size={20} stroke={1.5} aria-hidden />
      <span>{t('part_failed')}</span>
      <Button size="xs" variant="default" onClick={retry}>
        {t('try_again')}
      </Button>
    </div>
  )
}
