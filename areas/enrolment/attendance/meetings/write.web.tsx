import { Button } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'

const TellClass = part(async () => (await import('./tell.web.tsx')).default)

/** Opens what is written to everybody who comes to a meeting. */
export function WriteToClass({ meeting, date }: { meeting: number; date: string }) {
  const t = useT('attendance')
  const [writing, setWriting] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconMessage size={16} aria-hidden />} onClick={() => setWriting(true)}>
        {t('tell')}
      </Button>
      {writing && (
        <Suspense fallback={null}>
          <TellClass meeting={meeting} date={date} onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </>
  )
}
