"""The aware strategy: follows the links that the knowledge base says lead to content, and repairs failing rules."""
