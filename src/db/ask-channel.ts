const answerMs = 2000;

/**
 * Asks whoever listens to a broadcast channel.
 *
 * @param answerIn returns the answer that a message is; null for another message
 * @returns the first answer; null when nobody answers in time
 */
export function askChannel<Answer>(
  name: string,
  question: unknown,
  answerIn: (message: unknown) => Answer | null,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(name);
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      channel.close();
      resolve(answer);
    };
    const timer = setTimeout(end, answerMs, null);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const answer = answerIn(data);
      if (answer !== null) end(answer);
    });
    channel.postMessage(question);
  });
}
