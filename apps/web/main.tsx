import './policy.ts'
import '@mantine/core/styles.layer.css'
import '#kit/web/theme/theme.css'
import { start } from '#kit/web/app/start.tsx'
import { AREA_WEBS, SEARCHED } from './areas.ts'

void start({ areas: AREA_WEBS, searched: SEARCHED })
