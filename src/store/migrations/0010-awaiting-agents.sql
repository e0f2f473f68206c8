-- Conversations that wait for sub-agents are found without looking at all.
CREATE INDEX conversations_awaiting_agents ON conversations (phase) WHERE phase = 'awaitingAgents';
