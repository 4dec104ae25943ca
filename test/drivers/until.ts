/** Asks until the answer is yes; the test's own time-out bounds it. */
export async function until(question: () => Promise<boolean>): Promise<void> {
  while (!(await question())) await new Promise((resolve) => setImmediate(resolve));
}
