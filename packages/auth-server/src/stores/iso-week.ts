const DAY = 86_400_000

/** The week of a time, of ISO 8601 and in UTC: `2026-W47`. */
export function isoWeek (time: Date): string {
  // A week belongs to the year that its Thursday is in; 1 January 1970 was one.
  const thursday = Math.floor((time.getTime() / DAY + 3) / 7) * 7
  const year = new Date(thursday * DAY).getUTCFullYear()
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
